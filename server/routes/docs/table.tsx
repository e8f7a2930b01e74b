/** Renders the tables that describe the fields of schemas on the page `/docs`. */

import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import type { JsonSchema } from './document.ts'

export const Fields: FC<{ schema: JsonSchema }> = ({ schema }) => (
  <Table heads={['field', 'type', 'meaning']}>{rowsOf(schema, '')}</Table>
)

/**
 * Renders one table row for each field of a schema. The fields of a nested object also get rows, unless the nested
 * object is only a link (`$ref`) to a named schema.
 */
function rowsOf({ properties = {}, required = [], anyOf = [] }: JsonSchema, path: string): Child[] {
  const rows = Object.entries(properties).flatMap(([name, field]) => [
    <tr>
      <th scope="row">
        <code>{path + name}</code>
      </th>
      <td>
        <Type schema={field} />
        {!required.includes(name) && <span class="optional"> optional</span>}
      </td>
      <td>{field.description}</td>
    </tr>,
    ...rowsOf(field, `${path}${name}.`),
    ...(field.items ? rowsOf(field.items, `${path}${name}[].`) : []),
  ])
  return [...rows, ...anyOf.flatMap((variant) => rowsOf(variant, path))]
}

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

/**
 * Renders the type of a field as text, such as "list of text" or "text or null". If the type is a named schema
 * (`$ref`), renders a link to this schema.
 */
export const Type: FC<{ schema: JsonSchema }> = ({ schema }) => {
  const { type = [], enum: values, const: value, $ref, items, anyOf } = schema
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? $ref
    return (
      <a href={`#${name}`}>
        <code>{name}</code>
      </a>
    )
  }
  if (values) return <>one of {values.map((each) => JSON.stringify(each)).join(', ')}</>
  if (value !== undefined) return <>{JSON.stringify(value)}</>
  if (anyOf) return <>{anyOf.flatMap((variant, index) => [index > 0 && ' or ', <Type schema={variant} />])}</>
  if (items) {
    return (
      <>
        list of <Type schema={items} />
      </>
    )
  }
  const types = [type].flat()
  return <>{types.length > 0 ? types.map((each) => WORDS[each] ?? each).join(' or ') : 'anything'}</>
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
}
