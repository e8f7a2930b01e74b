import { Tag } from '../details.tsx'
import { FilteredList } from '../list-controls.tsx'
import { listNewestFirst, readListQuery } from '../listing.ts'
import { When } from '../when.tsx'
import type { LoggedRequest } from '../../wire/request-log.ts'
import type { Page, Visit } from '../page.ts'
import type { Tone } from '../transactions/badge.ts'

export const requests: Page = {
  path: '/requests',
  title: 'Requests',
  entry: { group: 'Developers', label: 'Requests' },
  roles: ['owner', 'developer', 'viewer'],
  only: 'sandbox',
  show: (visit) => <Requests {...visit} />,
}

const STATUSES = { ok: 'Successful', refused: 'Refused (4xx)', failed: 'Failed (5xx)', open: 'Not answered' }

const SEARCHABLE = {
  textsOf: ({ method, path, body, status, refusal }: LoggedRequest) => [
    `${method} ${path} ${status ?? ''}`,
    JSON.stringify(body),
    JSON.stringify(refusal),
  ],
  statusKeyOf: keyOf,
}

function keyOf({ status }: LoggedRequest): keyof typeof STATUSES {
  if (status === null) return 'open'
  return status < 400 ? 'ok' : status < 500 ? 'refused' : 'failed'
}

const TONES: Readonly<Record<keyof typeof STATUSES, Tone>> = {
  ok: 'good',
  refused: 'warn',
  failed: 'bad',
  open: 'wait',
}

function Requests(visit: Visit) {
  const query = readListQuery(Object.fromEntries(visit.query))
  const found = listNewestFirst(visit.world.requests.list(), query, SEARCHABLE)
  return (
    <FilteredList
      path="/requests"
      label="Requests"
      query={query}
      hint="Path, body or refusal"
      statuses={STATUSES}
      listing={found}
      empty="The latest 1,000 requests of your server appear here."
    >
      <ul class="parts">
        {found.rows.map((request) => (
          <Request {...request} />
        ))}
      </ul>
    </FilteredList>
  )
}

function Request(request: LoggedRequest) {
  const { at, method, path, body, status, refusal } = request
  const label = status === null ? STATUSES.open : String(status)
  return (
    <li>
      <div class="head">
        <code>{`${method} ${path}`}</code>
        <Tag badge={{ label, tone: TONES[keyOf(request)] }} />
      </div>
      <p class="quiet-text">
        <When at={at} />
      </p>
      {refusal === null ? null : <pre>{JSON.stringify(refusal, null, 2)}</pre>}
      {body === null ? null : (
        <details>
          <summary>Body</summary>
          <pre>{JSON.stringify(body, null, 2)}</pre>
        </details>
      )}
    </li>
  )
}
