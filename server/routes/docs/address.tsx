/** One address on the page: what it takes and what it answers. */

import type { FC } from 'hono/jsx'
import type { Operation } from '../openapi/operation.ts'
import type { SchemaName } from '../openapi/schemas.ts'
import { problemsOf } from '../openapi/document.ts'
import { templateOf } from '../openapi/operation.ts'
import { querySchema } from '../openapi/schemas.ts'
import { PROBLEMS } from '../../api/problem-codes.ts'
import { Fields, Table } from './table.tsx'

export const Address: FC<{ operation: Operation }> = ({ operation }) => {
  const { id, method, path, summary, description = '', needsKey, parameters = {}, query, body } = operation
  return (
    <article id={id}>
      <h3>{summary}</h3>
      <p class="address">
        <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{templateOf(path)}</code>{' '}
        {needsKey && <span class="key">needs the key</span>}
      </p>
      {description.split('\n\n').map((paragraph) => paragraph !== '' && <p>{paragraph}</p>)}
      {Object.keys(parameters).length > 0 && (
        <Table heads={['in the path', 'meaning']}>
          {Object.entries(parameters).map(([name, given]) => (
            <tr>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>
                {typeof given === 'string'
                  ? given
                  : `${given.description} One of ${given.values.join(', ')}.`}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {query && <Fields schema={querySchema(query)} />}
      {body && (
        <>
          <p>
            The body is a <Shape name={body.schema} />, as {body.types.join(' or ')}:
          </p>
          <pre tabindex={0}>{JSON.stringify(body.example, null, 2)}</pre>
        </>
      )}
      <Answers operation={operation} />
    </article>
  )
}

const Answers: FC<{ operation: Operation }> = ({ operation }) => (
  <Table heads={['answer', 'meaning']}>
    {operation.answers.map(({ status, description, content }) => (
      <tr>
        <th scope="row">{status}</th>
        <td>
          {description} {content?.type === 'application/json' && <Shape name={content.schema} />}
        </td>
      </tr>
    ))}
    {problemsOf(operation).map((code) => (
      <tr class="problem">
        <th scope="row">{PROBLEMS[code].status}</th>
        <td>
          <code>{code}</code> {PROBLEMS[code].title}
        </td>
      </tr>
    ))}
  </Table>
)

const Shape: FC<{ name: SchemaName }> = ({ name }) => (
  <a href={`#${name}`}>
    <code>{name}</code>
  </a>
)
