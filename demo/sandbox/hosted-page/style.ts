// The style of the hosted page alone; what it shares with the portal is in `../page-style.ts`.

export const STYLE = `
@property --left { syntax: '<integer>'; inherits: false; initial-value: 0; }

body { display: flex; flex-direction: column; align-items: center; }
header { align-self: stretch; }
.trouble:not(:empty) { position: sticky; top: 0; z-index: 1; align-self: stretch; padding: .75rem 1rem; text-align: center; font-weight: 600; background: var(--warn-tint); color: var(--warn); }
.columns { width: 100%; display: grid; grid-template-columns: minmax(0, 1fr); justify-items: center; align-items: start; gap: 0 2.5rem; }
main { container-type: inline-size; min-width: 0; width: 100%; max-width: 30rem; padding: 1rem min(1rem, 4vw) 2rem; }
@media (min-width: 40rem) { main { padding-block: 2.5rem 3rem; } }
/* On a phone, what has happened comes first. */
@media (max-width: 40rem) { main:has(> .message) { display: grid; grid-template-columns: minmax(0, 1fr); } main > .card.message { order: -1; margin: 0 0 .75rem; } }
/* What is beside the page moves nothing. */
html { scrollbar-gutter: stable; }
@media (min-width: 80rem) {
  .columns { grid-template-columns: minmax(0, 1fr) 30rem minmax(0, 1fr); justify-items: start; } main { grid-column: 2; }
}
.card + .card { margin-top: .75rem; }
@media (min-width: 40rem) { .card { padding: 1.75rem; } }
h1 { font-size: 1rem; font-weight: 600; line-height: 1.3; }
h2 { font-size: 1.125rem; line-height: 1.3; }

.merchant { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; }
.merchant > div { flex: 1 1 8rem; min-width: 0; }
.mark { width: 2.75rem; height: 2.75rem; font-size: 1.25rem; overflow: hidden; } .mark img { width: 100%; height: 100%; object-fit: cover; }
.narration { color: var(--quiet); font-size: .9375rem; overflow-wrap: anywhere; }
progress, progress::-webkit-progress-bar { appearance: none; display: block; width: 100%; height: .5rem; border: 0; border-radius: .25rem; background: var(--line); overflow: hidden; }
progress { margin: .875rem 0 .375rem; } progress::-webkit-progress-value { background: var(--accent); }
progress::-moz-progress-bar { background: var(--accent); }
.expiry { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin-top: .75rem; padding-top: .625rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .875rem; }
.countdown { font-variant-numeric: tabular-nums; font-weight: 600; color: var(--ink); white-space: nowrap; }
.countdown::after { content: counter(minutes) ':' counter(seconds, decimal-leading-zero); }
.countdown.seconds::after { content: counter(seconds); }

form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
fieldset { border: 0; padding: 0; margin: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem; min-width: 0; }
legend { padding: 0; margin-bottom: .75rem; }
.method {
  display: grid; grid-template-columns: auto minmax(0, 1fr) auto; align-items: center; gap: 0 min(.75rem, 3vw); min-height: 3.5rem;
  padding: .5rem min(.75rem, 3vw); border: 1px solid var(--line); border-radius: .875rem; cursor: pointer;
}
.method:hover { border-color: var(--edge); }
.tile { grid-area: 1 / 1 / span 2; width: 2.25rem; height: 2.25rem; border-radius: .625rem; display: grid; place-items: center; color: #fff; background: #b3530b; }
.tile[data-method='wave'] { background: #1667c2; } .tile[data-method='card'] { background: #5b43b8; }
.tile[data-method='bank'] { background: #45555f; } .tile .icon { width: 1.25rem; }
/* Large text on a small phone: the words take the tile's place. */
@container (width < 14rem) { .tile, .notice .icon { display: none; } .method { grid-template-columns: minmax(0, 1fr) auto; } .method b, .method small { grid-column: 1 !important; } .method input { grid-column: 2 !important; } }
.method:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); background: var(--tint); }
.method:has(:focus-visible) { outline: 3px solid var(--focus); outline-offset: 2px; }
.method input { grid-area: 1 / 3 / span 2; width: min(1.375rem, 7vw); height: min(1.375rem, 7vw); margin: 0; accent-color: var(--accent); outline: none; }
.method b { font-weight: 600; line-height: 1.3; } .method small { color: var(--quiet); font-size: .8125rem; line-height: 1.35; }
.method b, .method small { grid-column: 2; }
form:has(:is([value='CARD'], [value='BANK']):checked) .field { display: none; }
.field small { color: var(--quiet); font-size: .875rem; }

.button { width: 100%; font-size: 1.0625rem; text-wrap: balance; }
.button[aria-disabled] { opacity: .75; cursor: progress; }
.button:active { background: color-mix(in srgb, var(--brand, var(--accent)) 76%, var(--ink)); }
@media (prefers-reduced-motion: no-preference) { .button:active { scale: .985; } }
.back { display: grid; place-items: center; min-height: 2.75rem; margin-top: 1rem; }

.notice { display: flex; gap: .75rem; margin-bottom: 1rem; } .notice h2 { font-size: 1rem; }
.icon { width: 1.5rem; flex: none; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }

.message { text-align: center; display: grid; justify-items: center; gap: .5rem; }
.message p { color: var(--quiet); max-width: 26rem; text-wrap: balance; }
.message .button { margin-top: .75rem; } .message h2 { font-size: 1.25rem; }
.message .amount { color: var(--ink); max-width: none; font-size: min(2.5rem, 11vw); overflow-wrap: break-word; }
.references { display: grid; grid-template-columns: minmax(0, auto); gap: 0; width: 100%; margin: .5rem 0 0; padding-top: .75rem; border-top: 1px solid var(--line); font-size: .875rem; }
.references dt { color: var(--quiet); } .references dd { margin: 0; font: .8125rem/1.5 ui-monospace, monospace; user-select: all; }
.references dd + dt { margin-top: .375rem; }
.badge { position: relative; width: 4rem; height: 4rem; border-radius: 50%; display: grid; place-items: center; margin-bottom: .25rem; }
.badge:not(.good, .warn) { background: var(--plain); }
.message:has(> .good) h2 { color: var(--good); }
.badge .icon { width: 2rem; }
.badge.live::after { content: ''; position: absolute; inset: 0; border: 2px solid var(--accent); border-radius: 50%; }
@media (prefers-reduced-motion: no-preference) {
  .badge.live::after { animation: ring 2s ease-out infinite; }
  .badge.good { animation: appear .3s; }
}
@keyframes ring { to { opacity: 0; scale: 1.4; } }
@keyframes appear { from { opacity: 0; scale: .6; } }
.links { display: flex; flex-wrap: wrap; justify-content: center; align-items: center; gap: 0 1.5rem; color: var(--quiet); font-size: .9375rem; }
.links a { display: grid; place-items: center; min-height: 2.75rem; min-width: 2.75rem; }
.languages { margin-top: .5rem; gap: 0 .5rem; } .languages a { display: block; line-height: 2.75rem; text-align: center; color: inherit; } .languages a::first-letter { text-transform: uppercase; } .languages [aria-current='true'] { color: var(--ink); font-weight: 600; text-decoration: none; }

aside { width: 100%; max-width: 30rem; padding: 0 1rem 2rem; }
@media (min-width: 80rem) { aside { max-width: 21rem; padding: 2.5rem 0 3rem; } }
aside h2 { font-size: .9375rem; color: var(--sandbox); margin: 0 .5rem .75rem; }
.phone { border: 2px dashed var(--sandbox); border-radius: 1.75rem; background: var(--sandbox-tint); padding: 1.25rem min(1.25rem, 4vw); }
.prompt { background: var(--card); border: 1px solid var(--line); border-radius: .875rem; padding: .875rem min(1rem, 3vw); margin: 0 0 1rem; overflow-wrap: break-word; }
.phone .button:not(.quiet) { background: var(--sandbox); color: var(--page); }
.phone .choices { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, max(7rem, 34%)), 1fr)); gap: .625rem; }
.choices .wide { grid-column: 1 / -1; }
.phone .amounts { border-top: 1px solid var(--line); margin-top: 1rem; padding-top: 1rem; }

@media (forced-colors: active) { .method, .tile { border: 1px solid; } .button:not(.quiet) { border-width: 3px; } progress { border: 1px solid; } progress::-webkit-progress-value { background: CanvasText; forced-color-adjust: none; } .method:has(:checked) { outline: 2px solid Highlight; } }
`
