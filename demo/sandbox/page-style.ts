/**
 * The style of the hosted page and of the portal: colours, text, fields, buttons, cards and notices. A page may set
 * `--brand` and `--on-brand`, the merchant's own colour. Sizes shrink with the window, for a phone with large text.
 */
export const BASE_STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f7f4, #0e1412); --card: light-dark(#ffffff, #17201c); --ink: light-dark(#17231d, #eaf1ed);
  --quiet: light-dark(#52605a, #a9b8b0); --line: light-dark(#dbe1dc, #2d3a34); --edge: light-dark(#7b8a83, #75877e);
  --accent: light-dark(#0b6b4f, #74d9b4); --on-accent: light-dark(#ffffff, #06281d); --tint: light-dark(#e7f3ee, #143028);
  --plain: light-dark(#eef1ee, #202b26); --good: light-dark(#0a6b45, #7be0a8); --good-tint: light-dark(#e3f4ea, #123023);
  --warn: light-dark(#7a4300, #f5c07a); --warn-tint: light-dark(#fdf2e1, #33260f); --bad: light-dark(#a3261f, #ff9d94);
  --bad-tint: light-dark(#fdecea, #381a18); --focus: light-dark(#1a56db, #8db4ff);
  --sandbox: light-dark(#4b3fa0, #c3b9ff); --sandbox-tint: light-dark(#f1effb, #201d38);
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
:is(input, select)[aria-invalid='true'] { border: 2px solid var(--bad); }
.error { color: var(--bad); font-weight: 600; font-size: .9375rem; }
.error::before { content: '!' / ''; display: inline-block; width: 1.375em; margin-inline-end: .5em; border: 1px solid; border-radius: 1em; line-height: 1.25; text-align: center; }
.button {
  display: grid; place-items: center; min-height: 3.25rem; padding: .5rem min(1.25rem, 3vw); border-radius: .875rem;
  border: 1px solid transparent; background: var(--brand, var(--accent)); color: var(--on-brand, var(--on-accent)); overflow-wrap: anywhere;
  font: inherit; font-weight: 600; line-height: 1.25; text-align: center; text-decoration: none; cursor: pointer;
}
.button:hover { background: color-mix(in srgb, var(--brand, var(--accent)) 88%, var(--ink)); }
.button:is(.quiet, .danger) { background: transparent; color: var(--ink); border-color: var(--edge); font-size: .9375rem; min-height: 2.875rem; }
.button.quiet:hover { background: var(--tint); }
.notice { border-radius: .75rem; padding: .75rem 1rem; background: var(--plain); }
.good { background: var(--good-tint); color: var(--good); }
.warn { background: var(--warn-tint); color: var(--warn); }
.bad { background: var(--bad-tint); color: var(--bad); }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) { .button, .card, .notice, .mark { border: 1px solid; } }
`
