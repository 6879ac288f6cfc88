// The report's style sheet: light and dark by the reader's setting, and printable. Plots have a transparent background
// and colours that are visible on both. Text.

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
body { margin: 0 auto; max-width: 1320px; padding: 24px 20px 60px; overflow-wrap: anywhere; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { font-size: 25px; margin: 0 0 4px; } h2 { font-size: 19px; margin: 40px 0 2px; } h3 { font-size: 15px; margin: 0; }
p { margin: 4px 0 12px; } .card p { font-size: 13px; } .faint { color: var(--faint); } .bad { color: var(--bad); }
code, pre { font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 10px 12px; white-space: pre-wrap; margin: 8px 0; }
.figures { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13.5px; }
.figures th, .figures td { padding: 3px 0 3px 16px; text-align: left; border-bottom: 1px solid var(--line); vertical-align: baseline; }
.figures tr > :first-child { padding-left: 0; white-space: nowrap; }
.figures thead th { color: var(--faint); font-weight: 500; vertical-align: bottom; } .figures tbody th { font-weight: 400; }
.figures .number { text-align: right; } .figures td.number { white-space: nowrap; }
.figures tbody tr:last-child > * { border-bottom: 0; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 2px 18px; margin: 14px 0; }
.facts dt { color: var(--faint); } .facts dd { margin: 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 14px 16px; margin: 12px 0; }
.plots { display: grid; grid-template-columns: 1fr 1fr; gap: 18px; margin-top: 10px; }
.plot { min-width: 0; } .plot figcaption { color: var(--faint); font-size: 13px; }
figure { margin: 0; }
.swatch { display: inline-block; width: 11px; height: 11px; border-radius: 2px; margin-right: 7px; vertical-align: -1px; }
.ratio { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr) minmax(0, 5fr); gap: 0 14px; font-size: 13px; align-items: center; }
.ratio > :first-child { text-align: right; }
.track { position: relative; height: 24px; }
.track > * { position: absolute; } .mark { transform: translateX(-50%); color: var(--faint); white-space: nowrap; }
.line { top: 0; bottom: 0; border-left: 1px solid var(--line); }
.bar { top: 6px; height: 12px; min-width: 2px; border-radius: 2px; print-color-adjust: exact; }
.span { top: 11.5px; height: 1px; min-width: 1px; background: currentColor; opacity: 0.6; }
.uplot, .uplot *, .uplot *::before { font-family: system-ui, sans-serif !important; }
/* No colon after names of lines. */
.u-inline.u-live th::after { content: none !important; }
.u-legend { font-size: 12.5px !important; } .u-legend th, .u-legend td { border: 0; padding: 0 4px; }
@media screen and (max-width: 900px) {
  body { padding: 16px 10px 40px; } .card { padding: 12px; } .plots { grid-template-columns: minmax(0, 1fr); }
  .facts { grid-template-columns: 1fr; } .facts dd { margin-bottom: 6px; }
  .ratio { grid-template-columns: minmax(0, 1fr); margin-bottom: 8px; } .ratio > :first-child { text-align: left; }
  .ratio.axis { position: sticky; top: 0; background: var(--card); z-index: 1; }
  .figures, .figures tbody { display: block; } .figures thead { display: none; }
  .figures tbody tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 0 18px; padding: 6px 0; border-bottom: 1px solid var(--line); }
  .figures tbody tr:last-child { border-bottom: 0; }
  .figures tbody th, .figures tbody td { display: block; padding: 1px 0; border: 0; } .figures tbody th, .figures td[colspan] { grid-column: 1 / -1; }
  .figures td.number { display: flex; justify-content: space-between; gap: 8px; } .figures td.number::before { content: attr(data-name); color: var(--faint); }
  .figures td.number:empty { display: none; }
}
@media print {
  :root { --ground: #fff; --card: #fff; --ink: #000; --faint: #444; --line: #ccc; --bad: #a00; }
  body { max-width: none; padding: 0; font-size: 11px; } .card, figure, tr { break-inside: avoid; } h2 { break-after: avoid; }
  .u-legend .u-value { display: none; }
  /* Plots are drawn for the screen, two per row. */
  .plot > div { zoom: 0.6; } .figures { font-size: 9px; } .figures th, .figures td { padding-left: 7px; } .swatch { print-color-adjust: exact; }
}`;
