/** Tables of the page, and what goes into them. */

import type { FC, PropsWithChildren } from 'hono/jsx'
import type { JsonSchema } from '../openapi/schemas.ts'

export const Fields: FC<{ schema: JsonSchema }> = ({ schema }) => (
  <Table heads={['field', 'type', 'meaning']}>
    {Object.entries(schema.properties ?? {}).map(([name, field]) => (
      <tr>
        <th scope="row">
          <code>{name}</code>
        </th>
        <td>
          {typeOf(field)}
          {!schema.required?.includes(name) && <span class="optional"> optional</span>}
        </td>
        <td>{field.description}</td>
      </tr>
    ))}
  </Table>
)

export const Table: FC<PropsWithChildren<{ heads: string[] }>> = ({ heads, children }) => (
  <table>
    <thead>
      <tr>
        {heads.map((head) => (
          <th scope="col">{head}</th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
)

/** "text or null", "one of paid, partial", "list of CheckoutView". */
function typeOf({ type, enum: values, const: value, $ref, items, anyOf }: JsonSchema): string {
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? $ref
  if (values) return `one of ${values.map((each) => JSON.stringify(each)).join(', ')}`
  if (value !== undefined) return JSON.stringify(value)
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ')
  if (items) return `list of ${typeOf(items)}`
  const types = typeof type === 'string' ? [type] : (type ?? [])
  return types.length > 0 ? types.map((each) => WORDS[each] ?? each).join(' or ') : 'anything'
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
}
