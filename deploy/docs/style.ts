// The style sheet of the documents' site: light and dark by the reader's setting, one column on a narrow screen. Text.
export const STYLE = `
:root { color-scheme: light dark; --ground: #fbfbfc; --card: #f1f3f6; --ink: #1c2026; --faint: #5d6570; --line: #dfe3e8; --link: #1f5fc4; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #14171b; --card: #1f242b; --ink: #e6e9ee; --faint: #a0a8b3; --line: #343b45; --link: #7fb0ff; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", sans-serif; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
nav { position: fixed; inset: 0 auto 0 0; width: 270px; overflow-y: auto; padding: 18px 20px; border-right: 1px solid var(--line); font-size: 14px; }
nav p, .menu p { margin: 16px 0 4px; color: var(--faint); font-weight: 600; } nav p:first-child { margin-top: 0; }
nav ul, .menu ul { list-style: none; margin: 0; padding: 0; } nav li, .menu li { padding: 2px 0; }
[aria-current] { color: var(--ink); font-weight: 600; }
.menu { display: none; }
main { max-width: 860px; margin: 0 auto 0 max(310px, calc(50vw - 295px)); padding: 26px 30px 80px 0; overflow-wrap: break-word; }
h1 { font-size: 30px; line-height: 1.2; margin: 0 0 16px; } h2 { font-size: 22px; margin: 40px 0 8px; } h3 { font-size: 18px; margin: 28px 0 6px; }
h2, h3 { scroll-margin-top: 16px; }
img { max-width: 100%; height: auto; }
code { background: var(--card); border-radius: 4px; padding: 1px 3px; font: 0.86em/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 12px 14px; overflow-x: auto; }
pre code { background: none; padding: 0; font-size: 13px; }
.wide { overflow-x: auto; margin: 14px 0; }
table { border-collapse: collapse; font-size: 14px; }
th, td { text-align: left; vertical-align: top; padding: 5px 14px 5px 0; border-bottom: 1px solid var(--line); }
th { color: var(--faint); font-weight: 600; }
@media (max-width: 900px) {
  nav { display: none; }
  .menu { display: block; padding: 10px 16px; border-bottom: 1px solid var(--line); font-size: 15px; }
  .menu summary { font-weight: 600; }
  main { margin: 0; padding: 18px 16px 60px; }
}
@media print { nav, .menu { display: none; } main { margin: 0; max-width: none; } }
`;
