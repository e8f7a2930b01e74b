// Tables of the portal: plain ones, which scroll on a small screen, and the lists, whose rows become blocks there.

import { Tag } from './details.tsx'
import { addressOf } from './layout.tsx'
import { When } from './when.tsx'
import type { Child, PropsWithChildren } from 'hono/jsx'
import type { Badge } from './transactions/badge.ts'

interface PlainTableProps {
  label: string
  heads: readonly string[]
  /** The head of a last column of numbers. */
  number?: string
}

export function PlainTable({ label, heads, number, children }: PropsWithChildren<PlainTableProps>) {
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th scope="col">{head}</th>
            ))}
            {number === undefined ? null : (
              <th scope="col" class="number">
                {number}
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

export interface ListRow {
  id: string
  /** The path of its page, below `/portal`. */
  path: string
  /** What the second column shows. */
  about: Child
  badge: Pick<Badge, 'label' | 'tone'> & Partial<Badge>
  /** Milliseconds since the Unix epoch, or ISO 8601. */
  createdAt: number | string
  number: Child
}

interface ListTableProps {
  label: string
  heads: readonly string[]
  number: string
  rows: readonly ListRow[]
}

// The roles keep the table a table where a small screen lays its rows out as blocks.
export function ListTable({ label, heads, number, rows }: ListTableProps) {
  return (
    <table class="rows" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {heads.map((name) => (
            <th role="columnheader" scope="col">
              {name}
            </th>
          ))}
          <th role="columnheader" scope="col" class="number">
            {number}
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr role="row">
            <th role="rowheader" scope="row" class="name">
              <a href={addressOf(row.path)}>
                <bdi>{row.id}</bdi>
              </a>
            </th>
            <td role="cell" class="with">
              {row.about}
            </td>
            <td role="cell" class="state">
              <Tag badge={row.badge} />
            </td>
            <td role="cell" class="when">
              <When at={row.createdAt} />
            </td>
            <td role="cell" class="number">
              {row.number}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
