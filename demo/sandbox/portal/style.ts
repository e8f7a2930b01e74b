// The style of the portal alone; what it shares with the hosted page is in `../page-style.ts`.

export const STYLE = `
body { overflow-wrap: anywhere; font-size: .9375rem; line-height: 1.45; display: grid; grid-template: auto 1fr / minmax(0, 1fr); }
ul, ol { padding: 0; list-style: none; } h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.015em; font-weight: 700; }
h2 { font-size: 1.0625rem; line-height: 1.3; letter-spacing: -.005em; font-weight: 650; }
code, pre { font: .875em/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; background: var(--plain); }
code { padding: .1em .35em; border-radius: .3em; } pre { margin: 0; padding: .875rem 1rem; border-radius: .75rem; white-space: pre-wrap; }
.skip { position: absolute; left: -999rem; top: .5rem; padding: .75rem 1rem; background: var(--card); z-index: 2; } .skip:focus { left: .5rem; }

header { grid-column: 1 / -1; min-width: 0; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; padding: .5rem 1rem; background: var(--card); border-bottom: 1px solid var(--line); }
.merchant { display: flex; align-items: center; gap: .625rem; min-height: 2.75rem; color: inherit; font-weight: 650; text-decoration: none; margin-right: auto; min-width: 0; }
.bar > .who, .aside { display: none; } .who { display: flex; align-items: center; gap: .75rem; }
.who span { display: grid; margin-right: auto; line-height: 1.25; font-weight: 600; font-size: .875rem; } .who small { font-weight: 400; }
.aside ul, .menu ul { display: grid; gap: .125rem; }
nav li > a { display: flex; align-items: center; min-height: 2.75rem; padding: .25rem .75rem; border-radius: .75rem; color: inherit; text-decoration: none; } nav li > a:hover { background: var(--tint); }
a[aria-current][href] { background: var(--tint); color: var(--accent) !important; font-weight: 650; }
.group:empty { display: none; } .group { margin: 1rem 0 .25rem; padding: 0 .75rem; color: var(--quiet); font-size: .8125rem; font-weight: 600; }
.menu { order: 3; } .menu[open] { width: 100%; }
summary { cursor: pointer; min-height: 1.5rem; }
.menu summary { display: flex; align-items: center; justify-content: end; padding-left: .75rem; min-height: 2.75rem; font-weight: 600; } .menu summary::before { content: '☰'; margin-right: .5rem; }
.menu[open] .who { margin-top: .75rem; padding: .75rem; border-top: 1px solid var(--line); }

main { min-width: 0; width: 100%; max-width: 70rem; padding: 1.25rem 1rem 3rem; display: grid; gap: 1rem; align-content: start; grid-template-columns: minmax(0, 1fr); }
.outside main { max-width: 30rem; margin: 0 auto; }
@media (min-width: 60rem) {
  body:not(.outside) { grid-template-columns: 15rem minmax(0, 1fr); }
  .aside { display: block; padding: 1.25rem .75rem; border-right: 1px solid var(--line); }
  .aside nav { position: sticky; top: 1.25rem; }
  .menu { display: none; } .bar > .who { display: flex; text-align: end; }
  main { padding: 2rem 2rem 4rem; gap: 1.25rem; }
}

.card { min-width: 0; display: grid; gap: .75rem; align-content: start; grid-template-columns: minmax(0, 1fr); container-type: inline-size; } .card > p { color: var(--quiet); } .card > a { justify-self: start; }
main a:not(.button) { display: inline-grid; align-items: center; min-height: 1.5rem; }
.cards, .columns, .stack { display: grid; gap: 1rem; align-content: start; align-items: start; min-width: 0; grid-template-columns: minmax(0, 1fr); }
.cards { grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); align-items: stretch; } .cards:has(> .stack) { align-items: start; }
@media (min-width: 75rem) { .columns { grid-template-columns: minmax(0, 1.7fr) minmax(0, 1fr); gap: 1.25rem; } }
.head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem .75rem; }
.facts { display: grid; gap: .625rem; } .facts > div { display: grid; gap: 0 1rem; }
.facts dt { color: var(--quiet); } .facts dd { font-variant-numeric: tabular-nums; }
@container (width >= 24rem) { .facts > div { grid-template-columns: minmax(8rem, 14rem) minmax(0, 1fr); } } .empty { padding: 1.5rem 0; text-align: center; }

table { width: 100%; border-collapse: collapse; }
th, td { padding: .625rem 1rem .625rem 0; text-align: start; vertical-align: middle; border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
thead th { color: var(--quiet); font-weight: 600; font-size: .8125rem; white-space: nowrap; } tbody tr:last-child > * { border-bottom: 0; }
.top, td.top-end { font-weight: 600; } tr:has(.below) > .top { white-space: nowrap; } .below { max-width: 13rem; color: var(--quiet); font-size: .8125rem; } main > small { margin-top: -.75rem; }
.top a { overflow-wrap: anywhere; }
.top-end, .bottom-end { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
:is(.middle, .below) { overflow-wrap: anywhere; } :is(.middle, .below, .middle-end, .top) > small { font-weight: 400; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
time { white-space: nowrap; font-variant-numeric: tabular-nums; } tr > :last-child { padding-right: 0; }
@container (width < 40rem) {
  table, tbody { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .125rem .75rem; padding: .75rem 0; border-bottom: 1px solid var(--line); align-items: start; }
  tbody tr:first-child { padding-top: 0; } tr:last-child { border-bottom: 0; padding-bottom: 0; }
  th, td { padding: 0; border: 0; }
  .top, .middle, .bottom { grid-column: 1; } .top-end, .middle-end, .bottom-end { grid-column: 2; justify-self: end; text-align: end; } .below { grid-column: 1 / -1; max-width: none; }
  .top, .top-end { grid-row: 1; } .middle, .middle-end { grid-row: 2; } .bottom, .bottom-end { grid-row: 3; }
  tr:not(:has(.top-end, .middle-end)) .bottom-end { grid-row: auto; grid-column: 1 / -1; }
  tr:not(:has(.top-end)) .middle-end { grid-row: 1 / span 3; max-width: 9rem; }
  .bottom { color: var(--quiet); font-size: .8125rem; }
}

.tag { display: inline-flex; align-items: center; gap: .375rem; padding: .125rem .625rem; border-radius: 1rem; font-size: .8125rem; font-weight: 600; white-space: nowrap; background: var(--plain); } .tag small { color: inherit; font-weight: 400; }
.tag.wait { background: var(--sandbox-tint); color: var(--sandbox); }

.fields { display: grid; gap: 1.125rem; max-width: 32rem; grid-template-columns: minmax(0, 1fr); }
.side-by-side { display: flex; flex-wrap: wrap; gap: .5rem; }
.search { display: grid; gap: .75rem; align-items: start; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 48rem) {
  .search { grid-template-columns: minmax(0, 1fr) auto auto; } .search .side-by-side { padding-top: 1.7rem; }
}
.field:has([type='checkbox']) { grid-template-columns: auto minmax(0, 1fr); align-items: center; gap: .375rem .75rem; min-height: 2.75rem; }
[type='checkbox'] { order: -1; width: 1.5rem; height: 1.5rem; margin: 0; accent-color: var(--accent); } .field > :is(.error, small) { grid-column: 1 / -1; }
.fields .button { justify-self: start; } .outside .fields .button { justify-self: stretch; }
.button.danger { color: var(--bad); border-color: currentColor; } .button.danger:hover { background: var(--bad-tint); } .secret { border-color: var(--accent); background: var(--tint); } .secret pre { background: var(--card); }
.pages { display: grid; grid-template-columns: 1fr auto 1fr; gap: 1rem; align-items: center; } .pages > :last-child { text-align: end; } main .pages a { min-height: 2.75rem; }

.timeline li { position: relative; display: grid; justify-items: start; padding: 0 0 1rem 1.5rem; background: none; color: inherit; }
.timeline li::before { content: ''; position: absolute; left: .25rem; top: .4rem; width: .625rem; height: .625rem; border-radius: 50%; background: var(--edge); }
.timeline li::after { content: ''; position: absolute; left: .5rem; top: 1.15rem; bottom: -.3rem; width: 2px; background: var(--line); }
.timeline li:last-child { padding-bottom: 0; } .timeline li:last-child::after { display: none; }
.timeline time { color: var(--quiet); font-size: .8125rem; } .timeline .good::before { background: var(--good); } .timeline .warn::before { background: var(--warn); } .timeline .bad::before { background: var(--bad); } .timeline .wait::before { background: var(--sandbox); }
@media (forced-colors: active) { .tag, a[aria-current] { border: 1px solid; } }
@media print { .aside, .menu, .who, .skip { display: none; } }
`
