/** Renders a table of names, such as attributes or environment variables, on the page `/docs`. */

import type { FC } from 'hono/jsx'
import type { ReferenceTable } from './reference-tables.ts'
import { Table } from './table.tsx'
import { Text } from './text.tsx'

export const Names: FC<{ table: ReferenceTable }> = ({ table: { id, title, rows } }) => (
  <section id={id}>
    <h2>{title}</h2>
    <article class="list">
      <Table heads={['name', 'meaning']}>
        {rows.map(({ name, fallback, text }) => (
          <tr id={idOf(id, name)}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>
              <Text text={text} />
              {fallback !== undefined && (
                <span class="optional">
                  {fallback === 'required' ? ' ' : ' Default: '}
                  <Text text={fallback} />.
                </span>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </article>
  </section>
)

/** The id of a row. A part and a slot may have the same name. */
export function idOf(table: string, name: string): string {
  return `${table}-${name.replaceAll(/[^\w-]+/g, '-')}`
}
