/** The style of lists and transactions. */
export const CONTENT_STYLE = `
.stack { display: grid; gap: 1rem; align-content: start; min-width: 0; }
.columns { display: grid; gap: 1rem; align-items: start; }
@media (min-width: 40rem) { .columns .facts > div { grid-template-columns: minmax(7rem, 10rem) minmax(0, 1fr); } }
@media (min-width: 75rem) { .columns .stack + .stack .facts > div { grid-template-columns: minmax(0, 1fr); }
  .columns { grid-template-columns: minmax(0, 1.5fr) minmax(0, 1fr); gap: 1.25rem; } }
.tag small { color: inherit; font-weight: 400; font-variant-numeric: tabular-nums; opacity: 1; }
.tag.wait { background: var(--sandbox-tint); color: var(--sandbox); }
.result { color: var(--ink) !important; }
.search { display: grid; gap: .75rem; align-items: start; }
.search .side-by-side { padding-top: 0; }
@media (min-width: 48rem) {
  .search { grid-template-columns: minmax(0, 1fr) 14rem auto; }
  .search:not(:has(select)) { grid-template-columns: minmax(0, 1fr) auto; }
  .search .side-by-side { padding-top: 1.7rem; }
}
.pages > :last-child { text-align: end; } .pages { align-items: center; }

.rows .name { font-weight: 600; max-width: 16rem; }
.rows .name a, .parts .head a { display: inline-grid; align-items: center; min-height: 1.5rem; overflow-wrap: anywhere; }
.rows .with { max-width: 20rem; }
.rows td small, .clamp { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
.rows time { white-space: nowrap; font-variant-numeric: tabular-nums; }
.rows .number { font-weight: 600; }
.rows bdi, .facts bdi, .parts bdi, .timeline bdi { overflow-wrap: anywhere; }
.plus { color: var(--good); }
.rows .balance { font-weight: 400; }
.sums { margin-top: .25rem; } .sums > div { grid-template-columns: minmax(0, 1fr) auto !important; }
@media (max-width: 47.99rem) {
  .rows, .rows tbody { display: block; }
  .rows thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .rows tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .125rem .75rem; padding: .75rem 0; border-bottom: 1px solid var(--line); align-items: start; }
  .rows tr:last-child { border-bottom: 0; }
  .rows th, .rows td { padding: 0; border: 0; min-width: 0; max-width: none !important; }
  .rows .name, .rows .with, .rows .when { grid-column: 1; }
  .rows .number, .rows .state, .rows .balance { grid-column: 2; text-align: end; justify-self: end; }
  .rows .name, .rows .number { grid-row: 1; } .rows .with, .rows .state { grid-row: 2; } .rows .when, .rows .balance { grid-row: 3; }
  .rows .when { color: var(--quiet); font-size: .8125rem; }
}

.parts { list-style: none; display: grid; }
.parts li { display: grid; gap: .25rem; padding: .75rem 0; border-bottom: 1px solid var(--line); }
.parts li:first-child { padding-top: 0; } .parts li:last-child { border-bottom: 0; padding-bottom: 0; }
.timeline li > strong, .timeline li > a { display: block; font-weight: 600; }
.timeline .wait::before { background: var(--sandbox); }
details details, .card > details { border-top: 1px solid var(--line); padding-top: .75rem; }
summary { cursor: pointer; min-height: 1.5rem; font-weight: 600; }
details[open] > summary { margin-bottom: .75rem; }
.parts details { border: 0; padding: 0; } .parts details summary { font-weight: 400; color: var(--quiet); font-size: .8125rem; }
details.card { gap: 0; }
details.card > summary { font-weight: 650; cursor: pointer; min-height: 1.5rem; }
details.card[open] > summary { margin-bottom: 1rem; }
`
