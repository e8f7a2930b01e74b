import { addressOf } from './layout.tsx'
import type { PropsWithChildren } from 'hono/jsx'
import type { Listing, ListQuery } from './listing.ts'

interface FilteredListProps extends SearchProps {
  label: string
  listing: Listing<unknown>
  /** What an empty list says. */
  empty: string
}

/** A list with its filter and its pages. The children are shown if there are rows. */
export function FilteredList(props: PropsWithChildren<FilteredListProps>) {
  const { label, path, query, listing, empty, children } = props
  return (
    <>
      <Search {...props} />
      <section class="card" data-live aria-label={label}>
        {listing.rows.length === 0 ? <Empty query={query} text={empty} /> : children}
        <Pages path={path} query={query} listing={listing} />
      </section>
    </>
  )
}

interface SearchProps {
  /** The path of the list, below `/portal`. */
  path: string
  query: ListQuery
  hint: string
  /** By value: the text of the choice; none if the list has no statuses. */
  statuses?: Readonly<Record<string, string>>
}

/** A form that filters a list. It changes nothing, so it is sent as part of the address. */
export function Search({ path, query, hint, statuses = {} }: SearchProps) {
  const isFiltered = query.search !== '' || query.status !== ''
  return (
    <form class="search" method="get" role="search" action={addressOf(path)}>
      <div class="field">
        <label for="search-q">Search</label>
        <input
          id="search-q"
          type="search"
          name="q"
          value={query.search}
          dir="auto"
          spellcheck={false}
          autocomplete="off"
          aria-describedby="search-hint"
        />
        <small id="search-hint">{hint}</small>
      </div>
      {Object.keys(statuses).length === 0 ? null : (
        <div class="field">
          <label for="search-status">Status</label>
          <select id="search-status" name="status">
            <option value="">All</option>
            {Object.entries(statuses).map(([value, text]) => (
              <option value={value} selected={value === query.status}>
                {text}
              </option>
            ))}
          </select>
        </div>
      )}
      <div class="side-by-side">
        <button class="button quiet" type="submit">
          Search
        </button>
        {isFiltered ? (
          <a class="button quiet" href={addressOf(path)}>
            Show all
          </a>
        ) : null}
      </div>
    </form>
  )
}

/** Says which rows are shown, and leads to the other pages of the list. */
export function Pages({
  path,
  query,
  listing,
}: {
  path: string
  query: ListQuery
  listing: Listing<unknown>
}) {
  const { page, pages, total, first, last } = listing
  if (total === 0) return null
  const to = (wanted: number) => `${addressOf(path)}?${paramsOf({ ...query, page: wanted })}`
  return (
    <nav class="pages" aria-label="Pages of the list">
      {page > 1 ? (
        <a href={to(page - 1)} rel="prev">
          Newer
        </a>
      ) : (
        <span />
      )}
      <p class="quiet-text">
        {`${grouped(first)}–${grouped(last)} of ${grouped(total)}`}
        {pages > 1 ? `, page ${grouped(page)} of ${grouped(pages)}` : ''}
      </p>
      {page < pages ? (
        <a href={to(page + 1)} rel="next">
          Older
        </a>
      ) : (
        <span />
      )}
    </nav>
  )
}

/** Shown instead of a list without rows. */
export function Empty({ query, text }: { query: ListQuery; text: string }) {
  const isFiltered = query.search !== '' || query.status !== ''
  return <p class="empty">{isFiltered ? 'Nothing matches the search.' : text}</p>
}

function paramsOf({ search, status, page }: ListQuery): string {
  const params = new URLSearchParams()
  if (search !== '') params.set('q', search)
  if (status !== '') params.set('status', status)
  if (page > 1) params.set('page', String(page))
  return params.toString()
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
