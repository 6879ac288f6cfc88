// The report's style sheet: light and dark by the reader's setting, and fit for paper. Plots draw on nothing, in colours that
// are seen on both grounds. Text.

/** Series colours, in the order of the targets; the floor is grey. */
export const COLOURS = ['#2f7ded', '#e07b1a', '#1f9d76', '#a45ee5', '#d6457a'];
export const FLOOR_COLOUR = '#8b919b';
export const REFUSED_COLOUR = '#d6457a';

export const STYLE = `
:root { color-scheme: light dark; --ground: #fbfbfc; --card: #ffffff; --ink: #1c2026; --faint: #5d6570; --line: #dfe3e8; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #14171b; --card: #1c2026; --ink: #e6e9ee; --faint: #a0a8b3; --line: #343b45; --bad: #ff8a80; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1180px; padding: 24px 20px 60px; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { font-size: 25px; margin: 0 0 4px; } h2 { font-size: 19px; margin: 40px 0 2px; } h3 { font-size: 15px; margin: 0; }
p { margin: 4px 0 12px; } .card p { font-size: 13px; } .faint { color: var(--faint); } .bad { color: var(--bad); }
code, pre { font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 10px 12px; overflow-x: auto; margin: 8px 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13.5px; }
th, td { padding: 3px 12px 3px 0; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { color: var(--faint); font-weight: 500; } td.number, th.number { text-align: right; }
tr:last-child td { border-bottom: 0; }
.wide { overflow-x: auto; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 2px 18px; margin: 14px 0; }
.facts dt { color: var(--faint); } .facts dd { margin: 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 14px 16px; margin: 12px 0; }
.plots { display: grid; grid-template-columns: 1fr 1fr; gap: 18px; margin-top: 10px; }
.plot { min-width: 0; } .plot figcaption { color: var(--faint); font-size: 13px; }
figure { margin: 0; }
.swatch { display: inline-block; width: 11px; height: 11px; border-radius: 2px; margin-right: 7px; vertical-align: -1px; }
.bars { width: 100%; height: auto; display: block; }
.bars text { font: 12.5px system-ui, sans-serif; fill: var(--ink); } .bars .faint { fill: var(--faint); }
.bars line { stroke: var(--line); }
.uplot, .uplot *, .uplot *::before { font-family: system-ui, sans-serif !important; }
/* Names of lines without the colon that stands before values. */
.u-inline.u-live th::after { content: none !important; }
.u-legend { font-size: 12.5px !important; } .u-legend th, .u-legend td { border: 0; padding: 0 4px; }
@media screen and (max-width: 800px) { .plots { grid-template-columns: 1fr; } }
@media print {
  :root { --ground: #fff; --card: #fff; --ink: #000; --faint: #444; --line: #ccc; --bad: #a00; }
  body { max-width: none; padding: 0; font-size: 11px; } .card, figure, tr { break-inside: avoid; } h2 { break-after: avoid; }
  .u-legend .u-value { display: none; }
  /* Plots have been drawn for the screen, two beside each other. */
  .plot > div { zoom: 0.6; } table { font-size: 9px; } th, td { padding-right: 7px; } .swatch { print-color-adjust: exact; }
}`;
