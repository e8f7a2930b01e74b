import { firstCharacters } from '../../../server/contract/characters.ts'
import { readPhoneNumber } from '../../../server/contract/phone-number.ts'

/** What a list shows: the rows that contain each word of `search` and have the status `status`, page by page. */
export interface ListQuery {
  search: string
  /** The key of a status; '' for all. */
  status: string
  /** Counted from 1. A page after the last one shows the last one. */
  page: number
}

export interface Listing<T> {
  rows: readonly T[]
  page: number
  pages: number
  /** The number of rows on all pages. */
  total: number
  /** The position of the page's first and last row, counted from 1; 0 if there are no rows. */
  first: number
  last: number
}

export interface Searchable<T> {
  readonly textsOf: (item: T) => readonly (string | null | undefined)[]
  readonly statusKeyOf: (item: T) => string
}

export const ROWS_OF_PAGE = 25
const MAX_SEARCH_CHARACTERS = 100

/** Reads a list's query from the query string of its page. A wrong page number is page 1. */
export function readListQuery(query: Readonly<Record<string, string>>): ListQuery {
  const { q = '', status = '', page = '1' } = query
  return {
    search: firstCharacters(q, MAX_SEARCH_CHARACTERS).trim(),
    status,
    page: /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1,
  }
}

/** Filters `items`, which begin with the oldest, and returns one page that begins with the newest. */
export function listNewestFirst<T>(
  items: Iterable<T>,
  { search, status, page }: ListQuery,
  { textsOf, statusKeyOf }: Searchable<T>,
): Listing<T> {
  const isFound = finderOf(search)
  const matching = [...items].filter(
    (item) => (status === '' || statusKeyOf(item) === status) && isFound(textsOf(item)),
  )
  return pageOf(matching.reverse(), page)
}

export function pageOf<T>(items: readonly T[], wanted: number): Listing<T> {
  const pages = Math.max(1, Math.ceil(items.length / ROWS_OF_PAGE))
  const page = Math.min(wanted, pages)
  const start = (page - 1) * ROWS_OF_PAGE
  const rows = items.slice(start, start + ROWS_OF_PAGE)
  return {
    rows,
    page,
    pages,
    total: items.length,
    first: rows.length === 0 ? 0 : start + 1,
    last: start + rows.length,
  }
}

export function hasEachWord(search: string, texts: readonly (string | null | undefined)[]): boolean {
  return finderOf(search)(texts)
}

// Phone numbers are stored in digits, and people search for them as they write them.
function finderOf(search: string) {
  const words = folded(search)
    .split(/\s+/)
    .map((word) => word.replace(/^\+(?=\d)/, ''))
  const number = readPhoneNumber(search, null)
  return (texts: readonly (string | null | undefined)[]): boolean => {
    const whole = folded(texts.filter((text) => text !== null && text !== undefined).join('\n'))
    return words.every((word) => whole.includes(word)) || (number !== null && whole.includes(number))
  }
}

// Text that looks the same is found, however it was typed: "é" as one character or two, wide or narrow digits.
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
