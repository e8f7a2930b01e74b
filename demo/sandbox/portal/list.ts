// A list of a merchant's payments, keys or others, as a table with a search, filters and pages. Its query is in the
// address.

import { html } from 'hono/html'

import { readPhoneNumber } from '../../../server/contract/phone-number.ts'
import { firstCharacters } from '../../../server/contract/text.ts'
import { readAmount } from '../money/amounts.ts'
import { toInternational } from '../money/currencies.ts'
import { card } from './card.ts'
import { fieldOf, hidden } from './fields.ts'

import type { Badge } from './card.ts'
import type { Look } from './fields.ts'
import type { Content, Visit } from './page.ts'
import type { Child } from 'hono/jsx'

export interface List<T> {
  /** What is said instead of a table without rows. */
  readonly empty: string
  /** All items, in the order in which they are shown. */
  readonly all: (visit: Visit) => readonly T[]
  readonly columns: Columns<T>
  /** A list without a search has at most {@link MAX_ITEMS}. */
  readonly search?: Search<T>
}

/**
 * On a phone, each row is a block of up to four lines, and `place` is where it has the cell: at the beginning or at the
 * end of a line, or alone on the line `below`. The cell at the `top` is the head of the row.
 */
export type Columns<T> = readonly (readonly [
  head: string,
  place: 'top' | 'top-end' | 'middle' | 'middle-end' | 'bottom' | 'bottom-end' | 'below',
  cell: (item: T, visit: Visit) => Child,
])[]

/** By what a list is searched. */
interface Search<T> {
  readonly hint: string
  readonly textsOf: (item: T, visit: Visit) => readonly unknown[]
  readonly timeOf: (item: T) => number | string
  readonly status: Status<T>
}

interface Status<T> {
  readonly label: string
  /** By key: the text of the choice. */
  readonly choices: Readonly<Record<string, string>>
  readonly keyOf: (item: T, visit: Visit) => string
}

/** Returns the filter of a list by the badges of its items. */
export function byBadge<T>(badges: readonly Badge[], badgeOf: (item: T, visit: Visit) => Badge): Status<T> {
  const choices = badges.map(({ label, code }) => [label, [label, code && `(${code})`].join(' ')])
  const keyOf = (item: T, visit: Visit) => badgeOf(item, visit).label
  return { label: 'Status', choices: Object.fromEntries(choices), keyOf }
}

/** By the value of `day` in the address: its text, and how many midnights ago its first and its last day are. */
const DAYS: Readonly<Record<string, { text: string; first: number; last: number }>> = {
  '': { text: 'All days', first: Infinity, last: -Infinity },
  today: { text: 'Today', first: 0, last: 0 },
  yesterday: { text: 'Yesterday', first: 1, last: 1 },
  '7-days': { text: '7 days', first: 6, last: 0 },
}

const ROWS_OF_PAGE = 25
/** How many items a list without a search can have: all are on one page. */
export const MAX_ITEMS = 100
const MAX_SEARCH_CHARACTERS = 100

/** Returns the page of a list. */
export const listPage = <T>(list: List<T>): Content => ({ show: (visit) => listOf(list, visit) })

/** Returns a list with its search, its filters and its pages. */
export function listOf<T>(list: List<T>, visit: Visit) {
  const { empty, columns, search } = list
  const { address, title } = visit
  const query = queryOf(visit)
  const items = findIn(list, visit, query, list.all(visit))
  const most = search ? ROWS_OF_PAGE : MAX_ITEMS
  const pages = Math.max(1, Math.ceil(items.length / most))
  const page = Math.min(pageIn(visit), pages)
  const start = (page - 1) * most
  const rows = items.slice(start, start + most)
  const written = (count: number) => count.toLocaleString('en')
  const ofPages = pages > 1 ? `, page ${page} of ${pages}` : ''
  const pageLink = (number: number, text: string) =>
    number >= 1 && number <= pages && html`<a href="${address}?${changed(query, 'page', number)}">${text}</a>`
  return html`${search && [dayLinks(query, visit), searchForm(search, query, visit)]}
    <section class="card" data-live aria-label="${title}">
      ${rows.length > 0 ? tableOf(title, columns, rows, visit) : html`<p class="empty">${query.size > 0 ? 'Nothing matches the search.' : empty}</p>`}
      ${
        rows.length > 0 &&
        search &&
        html`<nav class="pages" aria-label="Pages of the list">
          <span>${pageLink(page - 1, 'Newer')}</span>
          <small
            >${written(start + 1)}–${written(start + rows.length)} of
            ${written(items.length)}${ofPages}</small
          >
          <span>${pageLink(page + 1, 'Older')}</span>
        </nav>`
      }
    </section>`
}

// The roles keep the table a table where a narrow card lays its rows out as blocks.
export function tableOf<T>(label: string, columns: Columns<T>, rows: readonly T[], visit: Visit) {
  const head = columns.map(
    ([name, place]) => html`<th role="columnheader" scope="col" class="${place}">${name}</th>`,
  )
  const cellOf = (content: Child, place: string) =>
    place === 'top'
      ? html`<th role="rowheader" scope="row" class="top">${content}</th>`
      : html`<td role="cell" class="${place}">${content}</td>`
  const cellsOf = (row: T) => columns.map(([, place, cell]) => cellOf(cell(row, visit), place))
  return html`<table role="table" aria-label="${label}">
    <thead role="rowgroup">
      ${rowOf(head)}
    </thead>
    <tbody role="rowgroup">
      ${rows.map((row) => rowOf(cellsOf(row)))}
    </tbody>
  </table>`
}

const rowOf = (cells: Child) =>
  html`<tr role="row">
    ${cells}
  </tr>`

/** Returns the card of one item of a list: each column is a fact. */
export function itemOf<T>({ columns }: List<T>, item: T, visit: Visit) {
  return card({ facts: columns.map(([head, , cell]) => [head, cell(item, visit)]) })
}

/**
 * Returns the items that match a query: they have each word of `q`, a time on `day`, and the `status`. An unknown day
 * has none.
 */
export function findIn<T>({ search }: List<T>, visit: Visit, query: URLSearchParams, all: readonly T[]) {
  if (!search) {
    return all
  }

  const { textsOf, timeOf, status } = search
  const { zone, now } = visit
  const isFound = finderOf(query.get('q') ?? '', visit)
  const day = DAYS[query.get('day') ?? '']
  const isOnDay = (ago: number) => day !== undefined && day.last <= ago && ago <= day.first
  return all
    .filter((item) => !query.has('status') || status.keyOf(item, visit) === query.get('status'))
    .filter((item) => !query.has('day') || isOnDay(zone.daysBetween(timeOf(item), now)))
    .filter((item) => !query.has('q') || isFound(textsOf(item, visit)))
}

/** Returns the search and the filters of the address that are not empty. */
function queryOf({ query }: Visit): URLSearchParams {
  const shortened = (name: string) => firstCharacters(query.get(name) ?? '', MAX_SEARCH_CHARACTERS).trim()
  const filters = ['q', 'day', 'status'].map((name) => [name, shortened(name)] as const)
  return new URLSearchParams(Object.fromEntries(filters.filter(([, value]) => value !== '')))
}

function changed(query: URLSearchParams, name: string, value: string | number): string {
  return new URLSearchParams({ ...Object.fromEntries(query), [name]: String(value) }).toString()
}

// A wrong page number is page 1.
function pageIn({ query }: Visit): number {
  const page = query.get('page') ?? ''
  return /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1
}

/**
 * Returns whether texts have each word of a search, or all of it. Phone numbers are stored in digits, and people search
 * for them as they write them. An amount is found if it is equal: it stands on a line of its own.
 */
function finderOf(search: string, { world: { merchant } }: Visit): (texts: readonly unknown[]) => boolean {
  const spellingsOf = (text: string) => {
    const number = readPhoneNumber(toInternational(text, merchant.country), null)
    const amount = amountIn(text)
    return [text.replace(/^\+(?=\d)/, ''), number ?? text, amount === null ? text : `\n${amount}\n`]
  }

  const words = folded(search).split(/\s+/).map(spellingsOf)
  const all = spellingsOf(folded(search))
  return (texts) => {
    const lines = texts.flatMap((text) => (typeof text === 'string' ? [folded(text), amountIn(text)] : []))
    const whole = `\n${lines.join('\n')}\n`
    const isIn = (spellings: readonly string[]) => spellings.some((each) => whole.includes(each))
    return words.every(isIn) || isIn(all)
  }
}

// With or without the code of its currency.
const amountIn = (text: string) => readAmount(text.replace(/^[a-z]{3}\s+/i, ''))

// Text that looks the same is found, however it was typed: "é" as one character or two, wide or narrow digits.
const folded = (text: string) => text.normalize('NFKC').toLowerCase()

function searchForm<T>({ hint, status }: Search<T>, query: URLSearchParams, { address, world }: Visit) {
  const form = { name: 'search', problems: {} }
  const fieldFor = (name: string, look: Look) =>
    fieldOf(form, name, { ...look, isOptional: true }, query.get(name) ?? '', world.merchant)
  return html`<form class="search" method="get" role="search" action="${address}">
    ${fieldFor('q', { label: 'Search', type: 'search', hint })}
    ${fieldFor('status', { label: status.label, choices: () => status.choices })}
    ${hidden('day', query.get('day') ?? '')}
    <div class="side-by-side">
      <button class="button quiet">Apply</button>
      ${query.size > 0 && html`<a class="button quiet" href="${address}">Show all</a>`}
    </div>
  </form>`
}

function dayLinks(query: URLSearchParams, { address }: Visit) {
  const links = Object.entries(DAYS).map(([day, { text }]) => {
    const current = day === (query.get('day') ?? '') && html`aria-current="true"`
    return html`<a class="button quiet" href="${address}?${changed(query, 'day', day)}" ${current}
      >${text}</a
    >`
  })
  return html`<nav class="side-by-side" aria-label="Days">${links}</nav>`
}
