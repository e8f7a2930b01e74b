// A list is a table of columns and filters over what a merchant has. Its query is part of the address.

import { firstCharacters } from '../../../server/contract/characters.ts'
import { readPhoneNumber } from '../../../server/contract/phone-number.ts'
import { html } from 'hono/html'
import { card } from './card.ts'
import { fieldOf } from './form.ts'
import type { Child } from 'hono/jsx'
import type { Badge } from './card.ts'
import type { Look, Visit } from './page.ts'

export interface List<T> {
  /** What is said instead of a table without rows. */
  readonly empty: string
  /** All of them, in the order in which they are shown. */
  readonly all: (visit: Visit) => readonly T[]
  readonly columns: Columns<T>
  /** What is searched: a hint, and the texts of an item. */
  readonly search?: readonly [hint: string, texts: (item: T) => readonly unknown[]]
  /** By the name of their parameter in the address. */
  readonly filters?: Readonly<Record<string, Filter<T>>>
}

/** A phone shows each row as a block: the place is where it has the cell. `name` is the head of the row. */
export type Columns<T> = readonly (readonly [
  head: string,
  place: 'name' | 'with' | 'when' | 'number' | 'state' | 'balance',
  cell: (item: T, visit: Visit) => Child,
])[]

export interface Filter<T> {
  readonly label: string
  /** By key: the text of the choice. */
  readonly choices: Readonly<Record<string, string>>
  readonly keyOf: (item: T) => string
}

export function byStatus<T>(
  badges: readonly Badge[],
  badgeOf: (item: T) => Badge,
): { readonly status: Filter<T> } {
  const keyOf = ({ label, code }: Badge) => String(code ?? label)
  const choices = badges.map((each) => [keyOf(each), [each.label, each.code && `(${each.code})`].join(' ')])
  return {
    status: { label: 'Status', choices: Object.fromEntries(choices), keyOf: (item) => keyOf(badgeOf(item)) },
  }
}

const ROWS_OF_PAGE = 25
const MAX_SEARCH_CHARACTERS = 100

/** Returns a list with its search, its filters and its pages. */
export function listOf<T>(list: List<T>, visit: Visit) {
  const { empty, columns, search, filters = {} } = list
  const { path, title } = visit
  const query = queryOf(list, visit)
  const found = findIn(list, visit, query)
  const pages = Math.max(1, Math.ceil(found.length / ROWS_OF_PAGE))
  const page = Math.min(pageIn(visit), pages)
  const start = (page - 1) * ROWS_OF_PAGE
  const rows = found.slice(start, start + ROWS_OF_PAGE)
  const hasSearch = search && (query.size > 0 || pages > 1 || Object.keys(filters).length > 0)
  const numbers = [start + 1, start + rows.length, found.length, page, pages]
  const counts = numbers.map((count) => count.toLocaleString('en'))
  const pageLink = (wanted: number, text: string) =>
    wanted >= 1 && wanted <= pages && html`<a href="${path}?${withPage(query, wanted)}">${text}</a>`
  return html`${hasSearch && searchForm(list, query, visit)}
    <section class="card" data-live aria-label="${title}">
      ${rows.length > 0 ? tableOf(title, columns, rows, visit) : html`<p class="empty">${query.size > 0 ? 'Nothing matches the search.' : empty}</p>`}
      ${
        rows.length > 0 &&
        hasSearch &&
        html`<nav class="pages" aria-label="Pages of the list">
          <span>${pageLink(page - 1, 'Newer')}</span>
          <small
            >${counts[0]}–${counts[1]} of
            ${counts[2]}${pages > 1 ? `, page ${counts[3]} of ${counts[4]}` : ''}</small
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
    place === 'name'
      ? html`<th role="rowheader" scope="row" class="name">${content}</th>`
      : html`<td role="cell" class="${place}">${content}</td>`
  const rowOf = (row: T) => columns.map(([, place, cell]) => cellOf(cell(row, visit), place))
  return html`<table role="table" aria-label="${label}">
    <thead role="rowgroup">
      <tr role="row">
        ${head}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        (row) =>
          html`<tr role="row">
            ${rowOf(row)}
          </tr>`,
      )}
    </tbody>
  </table>`
}

/** Returns the card of one item of a list: each column is a fact. */
export function itemOf<T>({ columns }: List<T>, one: T, visit: Visit) {
  return card({ facts: columns.map(([head, , cell]) => [head, cell(one, visit)]) })
}

/** Returns what is left of a list: what has each word of `q`, and the key of each filter. */
export function findIn<T>({ all, search, filters = {} }: List<T>, visit: Visit, query: URLSearchParams) {
  const wanted = Object.entries(filters).filter(([name]) => query.has(name))
  const isFound = finderOf(query.get('q') ?? '')
  return all(visit)
    .filter((item) => wanted.every(([name, { keyOf }]) => keyOf(item) === query.get(name)))
    .filter((item) => !query.has('q') || isFound(search?.[1](item) ?? []))
}

// The parameters of the address that the list knows and that are not empty, without the page.
function queryOf<T>({ filters = {} }: List<T>, { query }: Visit): URLSearchParams {
  const known = new URLSearchParams()
  for (const name of ['q', ...Object.keys(filters)]) {
    const value = firstCharacters(query.get(name) ?? '', MAX_SEARCH_CHARACTERS).trim()
    if (value !== '') known.set(name, value)
  }
  return known
}

function withPage(query: URLSearchParams, page: number): string {
  return String(new URLSearchParams({ ...Object.fromEntries(query), ...(page > 1 && { page: `${page}` }) }))
}

// A wrong page number is page 1.
function pageIn({ query }: Visit): number {
  const page = query.get('page') ?? ''
  return /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1
}

// Phone numbers are stored in digits, and people search for them as they write them.
function finderOf(search: string): (texts: readonly unknown[]) => boolean {
  const words = folded(search)
    .split(/\s+/)
    .map((word) => word.replace(/^\+(?=\d)/, ''))
  const number = readPhoneNumber(search, null)
  return (texts) => {
    const whole = folded(texts.filter((text) => typeof text === 'string').join('\n'))
    return words.every((word) => whole.includes(word)) || (number !== null && whole.includes(number))
  }
}

// Text that looks the same is found, however it was typed: "é" as one character or two, wide or narrow digits.
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

function searchForm<T>({ search, filters = {} }: List<T>, query: URLSearchParams, { path, world }: Visit) {
  const form = { name: 'search', problems: {} }
  const fieldFor = (name: string, look: Look) =>
    fieldOf(form, name, { ...look, isOptional: true }, query.get(name) ?? '', world)
  return html`<form class="search" method="get" role="search" action="${path}">
    ${search && fieldFor('q', { label: 'Search', type: 'search', hint: search[0] })}
    ${Object.entries(filters).map(([name, { label, choices }]) => fieldFor(name, { label, choices: () => choices }))}
    <div class="side-by-side">
      <button class="button quiet">Search</button>
      ${query.size > 0 && html`<a class="button quiet" href="${path}">Show all</a>`}
    </div>
  </form>`
}
