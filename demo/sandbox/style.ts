/** The style of the hosted page and of the portal: colours, text, fields, buttons, cards and notices. */
export const BASE_STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f7f4; --card: #ffffff; --ink: #17231d; --quiet: #52605a; --line: #dbe1dc; --edge: #7b8a83;
  --accent: #0b6b4f; --on-accent: #ffffff; --tint: #e7f3ee; --plain: #eef1ee; --good: #0a6b45; --good-tint: #e3f4ea;
  --warn: #7a4300; --warn-tint: #fdf2e1; --bad: #a3261f; --bad-tint: #fdecea;
  --sandbox: #4b3fa0; --sandbox-tint: #f1effb; --focus: #1a56db;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1412; --card: #17201c; --ink: #eaf1ed; --quiet: #a9b8b0; --line: #2d3a34; --edge: #75877e;
    --accent: #74d9b4; --on-accent: #06281d; --tint: #143028; --plain: #202b26; --good: #7be0a8; --good-tint: #123023;
    --warn: #f5c07a; --warn-tint: #33260f; --bad: #ff9d94; --bad-tint: #381a18;
    --sandbox: #c3b9ff; --sandbox-tint: #201d38; --focus: #8db4ff;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100svh; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; }
h1, h2, p, ul, ol, dl, dd { margin: 0; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.environment { padding: .375rem 1rem; text-align: center; font-size: .8125rem; font-weight: 650; background: var(--sandbox-tint); color: var(--sandbox); }
.production .environment { background: var(--warn-tint); color: var(--warn); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 1.25rem min(1.25rem, 5vw); overflow-wrap: anywhere; }
.mark { flex: none; width: 2rem; height: 2rem; border-radius: 30%; display: grid; place-items: center; background: var(--brand, var(--accent)); color: var(--on-brand, var(--on-accent)); font-weight: 700; }
.amount { font-size: min(1.75rem, 11vw); font-weight: 700; letter-spacing: -.02em; line-height: 1.15; font-variant-numeric: tabular-nums; }
.field { display: grid; gap: .375rem; min-width: 0; } .field label { font-weight: 600; }
small { color: var(--quiet); font-size: .8125rem; }
input:not([type='checkbox'], [type='radio'], [type='hidden']), select {
  width: 100%; min-height: 3rem; padding: .5rem min(.875rem, 4vw); font: inherit; font-size: min(1.0625rem, 7vw); color: inherit;
  background: var(--card); border: 1px solid var(--edge); border-radius: .75rem;
}
[aria-invalid='true'] { border: 2px solid var(--bad) !important; }
.error { color: var(--bad); font-weight: 600; font-size: .9375rem; }
.button {
  display: grid; place-items: center; min-height: 3.25rem; padding: .5rem min(1.25rem, 3vw); border-radius: .875rem;
  border: 1px solid transparent; background: var(--brand, var(--accent)); color: var(--on-brand, var(--on-accent)); overflow-wrap: anywhere;
  font: inherit; font-weight: 600; line-height: 1.25; text-align: center; text-decoration: none; cursor: pointer;
}
.button:hover { background: color-mix(in srgb, var(--brand, var(--accent)) 88%, var(--ink)); }
.button:is(.quiet, .danger) { background: transparent; color: var(--ink); border-color: var(--edge); font-size: .9375rem; min-height: 2.875rem; }
.button.quiet:hover { background: var(--tint); }
.notice { border-radius: .75rem; padding: .75rem 1rem; background: var(--plain); }
.good:not(li) { background: var(--good-tint); color: var(--good); }
.warn:not(li) { background: var(--warn-tint); color: var(--warn); }
.bad:not(li) { background: var(--bad-tint); color: var(--bad); }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) { .button, .card, .notice { border: 1px solid; } }
`
