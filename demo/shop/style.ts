// The style sheets of the shop's page and of the playground.

import { BASE_STYLE } from '../sandbox/page-style.ts'

/** The look of both pages: that of the sandbox's pages in the colours of the shop. */
const LOOK = `${BASE_STYLE}
:root, :root[data-theme] {
  --page: light-dark(#fbf7f0, #14181a); --card: light-dark(#ffffff, #1d2326); --ink: light-dark(#21282b, #eceae4);
  --quiet: light-dark(#5c666b, #a4aeb1); --line: light-dark(#e3dacb, #343d41); --edge: var(--quiet);
  --accent: light-dark(#0f6e5c, #5fcfb3); --on-accent: light-dark(#ffffff, #06281d); --focus: var(--accent);
  --tint: color-mix(in srgb, var(--accent) 10%, transparent); --bad: light-dark(#a4331a, #f2a08b);
}
:root[data-theme='light'] { color-scheme: light; } :root[data-theme='dark'] { color-scheme: dark; }
h1 { font: 600 1.75rem/1.2 Georgia, serif; text-wrap: balance; margin-block-end: .25rem; }
h2 { font-size: 1.125rem; line-height: 1.3; }
.quiet:not(.button) { color: var(--quiet); font-size: .875rem; }
.card { display: grid; grid-template-columns: minmax(0, 1fr); align-content: start; gap: .75rem; padding: 1rem; min-width: 0; }
[type='radio'] { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent); }
label:has(> select, > input:not([type='radio'])) { display: grid; gap: .25rem; min-width: 0; font-size: .875rem; }
.links { display: flex; flex-wrap: wrap; gap: 0 1.25rem; font-size: .875rem; }
.links a { min-height: 2.75rem; align-content: center; }
pre { margin: 0; padding: .75rem; overflow-x: auto; background: var(--page); border-radius: .5rem; }
code { font: .8125rem/1.5 ui-monospace, monospace; }
.log { display: grid; gap: .375rem; padding: 0; list-style: none; font-size: .875rem; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.log:empty::before { content: 'Nothing yet.'; color: var(--quiet); }
`

export const STOREFRONT = `${LOOK}
.notice { border-radius: 0; padding: .5rem 1rem; background: var(--tint); font-size: .8125rem; text-align: center; }
header, main { max-width: 62rem; margin-inline: auto; padding-inline: min(1rem, 4vw); }
header { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 1rem; padding-block: 1rem 1.25rem; }
.brand { font: 600 1.375rem/1.2 Georgia, serif; color: var(--accent); }
main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; padding-block-end: 2rem; }
main.lost { gap: .75rem; justify-items: start; }

.goods { min-width: 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 8.5rem), 1fr)); gap: .75rem; margin: 0; padding: 0; border: 0; }
.goods legend { padding: 0; margin-block-end: 1rem; color: var(--quiet); }
.ware { position: relative; display: grid; grid-template-rows: auto auto 1fr auto; gap: .125rem; min-width: 0; padding: .75rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
.goods:enabled label.ware { cursor: pointer; } .goods:enabled label.ware:hover { border-color: var(--quiet); }
.goods:disabled .ware:not(:has(input:checked)) { opacity: .55; }
.ware:has(input:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.ware:has([type='radio']:focus-visible) { outline: 3px solid var(--focus); outline-offset: 2px; }
/* A disc of the card's colour sets the radio button off against the picture. */
.ware > input { position: absolute; inset-block-start: 1.375rem; inset-inline-start: 1.375rem; border-radius: 50%; box-shadow: 0 0 0 .25rem var(--card); background: var(--card); }
.picture { width: 100%; border-radius: .625rem; margin-block-end: .625rem; }
.name { font-weight: 600; line-height: 1.3; }
.price { margin-block-start: .375rem; font-weight: 600; font-variant-numeric: tabular-nums; }

.till { gap: 1rem; padding: 1.25rem min(1.25rem, 4vw); border-radius: 1.25rem; width: 100%; max-width: 26rem; justify-self: center; }
.till h2 { font: 600 1.25rem/1.2 Georgia, serif; }
.lines { display: grid; gap: .375rem; font-variant-numeric: tabular-nums; }
.lines div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; }
.lines dd { white-space: nowrap; }
.total { margin-block-start: .375rem; padding-block-start: .75rem; border-block-start: 1px solid var(--line); font-size: 1.125rem; font-weight: 600; }
.till gateway-checkout { --gateway-checkout-accent: var(--accent); --gateway-checkout-on-accent: var(--on-accent); display: block; }
.returned .till { order: -1; } .returned .lines { order: 1; } .returned main:not(:has(#told)) { display: none; }
/* As high as the card of the element, which follows, and no button to pay again. */
.returned gateway-checkout:not(:defined) { min-block-size: 28.5em; animation: wait 1ms 2s backwards; }
.order { overflow-wrap: anywhere; }
.plain, #settings { display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; }

/* The drawer: below the shop on a phone, beside it on a wide screen. */
.bench { padding: 0 1rem; background: var(--card); border-block-start: 1px solid var(--line); }
.bench[open] { display: grid; grid-template-columns: minmax(0, 1fr); padding-block-end: 1.5rem; }
.bench summary { padding-block: .875rem; font-weight: 600; cursor: pointer; }
.bench > :not(summary) { margin-block-start: .75rem; } .bench h2 { font-size: 1rem; }
.bench .card { background: var(--page); } .bench pre { background: var(--card); }
@media (scripting: enabled) {
  /* With scripts, changed settings apply at once, so their button is hidden. */
  #settings button { display: none; }
  /* The form inside the element replaces a script that did not load. It appears after 2 s: time to load. */
  gateway-checkout:not(:defined) > .plain { animation: wait 1ms 2s backwards; }
}
@keyframes wait { from { visibility: hidden; max-height: 0; overflow: clip; } }
[data-standing='fulfilled'] { color: var(--accent); }
:is([data-standing='unpaid'], [data-standing='taken_back'], [data-standing='look_at_it']) { color: var(--bad); }

@media (width >= 30rem) { #settings { grid-template-columns: 1fr 1fr; } }
@media (width >= 52rem) {
  header, main { padding-inline: 2rem; } header { padding-block: 1.75rem; }
  main:not(.lost) { grid-template-columns: minmax(0, 1fr) minmax(0, 24rem); gap: 2.5rem; align-items: start; padding-block-end: 5rem; }
  .shelf, .till { grid-row: 1; } .shelf { grid-column: 1; }
  .till { grid-column: 2; position: sticky; inset-block-start: 1.5rem; }
  h1 { font-size: 2.25rem; }
  .ware { padding: 1rem; }
  .bench { position: fixed; inset-block-end: 0; inset-inline-start: 2rem; max-width: 100%; border: 1px solid var(--line); border-block-end: 0; border-radius: .75rem .75rem 0 0; }
  .bench[open] { inset-block: 0; inset-inline: auto 0; width: 26rem; overflow-y: auto; align-content: start; padding-inline: 1.25rem; border-radius: 0; }
  body:has(.bench[open]) { padding-inline-end: 26rem; }
}
@media (width >= 52rem) and (width < 76rem) {
  body:has(.bench[open]) main { grid-template-columns: minmax(0, 1fr); }
  body:has(.bench[open]) :is(.shelf, .till) { position: static; grid-area: auto; }
}
`

export const PLAYGROUND = `${LOOK}
body { margin: 0 auto; max-width: 44rem; padding: 1rem min(1rem, 4vw); }
h1 { font-size: 1.5rem; color: var(--accent); overflow-wrap: anywhere; }
main, form { display: grid; gap: 1rem; margin-block: 1rem; }
form { grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); }
#frame { color: CanvasText; background: Canvas; }
`
