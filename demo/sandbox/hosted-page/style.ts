export const STYLE = `
@property --left { syntax: '<integer>'; inherits: false; initial-value: 0; }

:root {
  color-scheme: light dark;
  --page: #f3f5f2; --card: #ffffff; --ink: #17231d; --quiet: #52605a; --line: #d8dfda; --edge: #7b8a83;
  --accent: #0b6b4f; --on-accent: #ffffff; --tint: #e7f3ee; --warn: #8a4b00; --warn-tint: #fdf2e1;
  --bad: #a3261f; --bad-tint: #fdecea; --sim: #4b3fa0; --sim-tint: #f1effb; --focus: #1a56db;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1412; --card: #17201c; --ink: #eaf1ed; --quiet: #a9b8b0; --line: #2d3a34; --edge: #75877e;
    --accent: #74d9b4; --on-accent: #06281d; --tint: #143028; --warn: #f5c07a; --warn-tint: #33260f;
    --bad: #ff9d94; --bad-tint: #381a18; --sim: #c3b9ff; --sim-tint: #201d38; --focus: #8db4ff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100svh; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  display: flex; flex-direction: column; align-items: center;
}
.sandbox {
  align-self: stretch; padding: .5rem 1rem; text-align: center; font-size: .875rem;
  background: var(--sim-tint); color: var(--sim); font-weight: 600;
}
main { width: 100%; max-width: 30rem; padding: 1rem 1rem 2rem; }
@media (min-width: 40rem) { main { padding-block: 2.5rem 3rem; } }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 1.25rem; padding: 1.25rem; }
.card + .card { margin-top: 1rem; }
@media (min-width: 40rem) { .card { padding: 1.75rem; } }
h1, h2, p { margin: 0; }
h1 { font-size: 1rem; font-weight: 600; line-height: 1.3; }
h2 { font-size: 1.25rem; line-height: 1.3; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }

.merchant { display: flex; align-items: start; gap: .75rem; }
.mark {
  flex: none; width: 2.75rem; height: 2.75rem; border-radius: .9rem; display: grid; place-items: center;
  background: var(--accent); color: var(--on-accent); font-weight: 700; font-size: 1.25rem;
}
.narration { color: var(--quiet); font-size: .9375rem; overflow-wrap: anywhere; }
.amount { font-size: 2.5rem; font-weight: 700; letter-spacing: -.02em; line-height: 1.15; margin-top: 1rem; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.sums { display: grid; grid-template-columns: 1fr auto; gap: .25rem 1rem; margin: .75rem 0 0; font-variant-numeric: tabular-nums; }
.sums dt { color: var(--quiet); } .sums dd { margin: 0; font-weight: 600; text-align: end; }
meter { accent-color: var(--accent); width: 100%; height: .75rem; margin-top: .75rem; }
.expiry { display: flex; justify-content: space-between; gap: 1rem; margin-top: 1rem; padding-top: .75rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .875rem; }
.countdown { font-variant-numeric: tabular-nums; font-weight: 600; color: var(--ink); white-space: nowrap; }

form { display: grid; gap: 1rem; }
fieldset { border: 0; padding: 0; margin: 0; display: grid; gap: .5rem; min-width: 0; }
legend { font-size: 1.25rem; font-weight: 700; line-height: 1.3; padding: 0; margin-bottom: .75rem; }
.method {
  display: grid; grid-template-columns: auto 1fr; align-items: center; gap: 0 .875rem; min-height: 3.75rem;
  padding: .625rem .875rem; border: 1px solid var(--edge); border-radius: .875rem; cursor: pointer;
}
.method:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); background: var(--tint); }
.method:has(:focus-visible) { outline: 3px solid var(--focus); outline-offset: 2px; }
.method input { grid-row: span 2; width: 1.375rem; height: 1.375rem; margin: 0; accent-color: var(--accent); outline: none; }
.method b { font-weight: 600; line-height: 1.3; } .method small { color: var(--quiet); font-size: .8125rem; line-height: 1.35; }
.field { display: grid; gap: .375rem; min-width: 0; }
.field label { font-weight: 600; }
.field small { color: var(--quiet); font-size: .875rem; }
input[type='tel'], input[inputmode='decimal'] {
  width: 100%; min-height: 3rem; padding: .625rem .875rem; font: inherit; font-size: 1.0625rem; color: inherit;
  background: var(--card); border: 1px solid var(--edge); border-radius: .75rem;
}
[aria-invalid='true'] { border-color: var(--bad) !important; border-width: 2px !important; }
.error { color: var(--bad); font-weight: 600; font-size: .9375rem; }

.button {
  display: grid; place-items: center; min-height: 3.25rem; width: 100%; padding: .625rem 1rem; border-radius: .875rem;
  border: 1px solid transparent; background: var(--accent); color: var(--on-accent);
  font: inherit; font-weight: 600; font-size: 1.0625rem; line-height: 1.25; text-align: center; text-wrap: balance; text-decoration: none; cursor: pointer;
}
.button:hover { filter: brightness(1.08); }
.button.quiet { background: transparent; color: var(--ink); border-color: var(--edge); font-size: .9375rem; min-height: 2.875rem; }
.button.quiet:hover { background: var(--tint); filter: none; }
.back { display: grid; place-items: center; min-height: 2.75rem; margin-top: 1rem; }

.notice { border-radius: .875rem; padding: .875rem 1rem; margin-bottom: 1.25rem; }
.notice.bad { background: var(--bad-tint); color: var(--bad); }
.notice.good { background: var(--tint); color: var(--accent); }
.notice strong { display: block; }

.message { text-align: center; display: grid; justify-items: center; gap: .5rem; }
.message p { color: var(--quiet); max-width: 26rem; overflow-wrap: anywhere; }
.message .button { margin-top: .75rem; }
.badge { width: 4rem; height: 4rem; border-radius: 50%; display: grid; place-items: center; margin-bottom: .25rem; background: var(--tint); color: var(--accent); }
.badge.warn { background: var(--warn-tint); color: var(--warn); }
.badge svg { width: 2rem; height: 2rem; fill: none; stroke: currentColor; stroke-width: 2.25; stroke-linecap: round; stroke-linejoin: round; }
.pulse { animation: pulse 1.6s ease-in-out infinite; }
@keyframes pulse { 50% { opacity: .45; } }
.links { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 1.5rem; }
.links a { display: grid; place-items: center; min-height: 2.75rem; }

.phone { border: 2px dashed var(--sim); background: var(--sim-tint); }
.phone h2 { font-size: 1.0625rem; color: var(--sim); }
.prompt { background: var(--card); border: 1px solid var(--line); border-radius: .875rem; padding: .875rem 1rem; margin: .875rem 0 1rem; overflow-wrap: anywhere; }
.phone form + form, .phone form + .amounts { margin-top: .625rem; }
.choices { display: grid; grid-template-columns: 1fr 1fr; gap: .625rem; }
.choices .wide { grid-column: 1 / -1; }
.phone .button.quiet { background: var(--card); border-color: var(--edge); }
.amounts { display: grid; gap: .875rem; border-top: 1px solid var(--line); margin-top: 1rem; padding-top: 1rem; }
.amounts .field { display: contents; } .amounts label { grid-column: 1 / -1; }
.amounts form { grid-template-columns: 1fr 1fr; gap: .375rem .625rem; margin: 0 !important; }
.amounts label { font-size: .9375rem; } .amounts .error { grid-column: 1 / -1; }
.amounts .button { min-height: 3rem; }

.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: reduce) { .pulse { animation: none; } }
@media (forced-colors: active) { .button, .method, .card { border: 1px solid; } }
`
