/** Renders the description of one route or one event on the page `/docs`, with parameters, body and responses. */

import type { FC } from 'hono/jsx'
import type { DescribedOperation } from './document.ts'
import { Fields, Table, Type } from './table.tsx'

export const Operation: FC<{ operation: DescribedOperation }> = ({ operation }) => {
  const { operationId, method, path, summary, description, security, parameters, requestBody } = operation
  const types = Object.keys(requestBody?.content ?? {})
  const [body] = Object.values(requestBody?.content ?? {})
  return (
    <article id={operationId}>
      <h3>{summary}</h3>
      <p class="address">
        <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>{' '}
        {security.length > 0 && <span class="key">needs the key</span>}
      </p>
      {description.split('\n\n').map((paragraph) => paragraph !== '' && <p>{paragraph}</p>)}
      {parameters.length > 0 && (
        <Table heads={['parameter', 'type', 'meaning']}>
          {parameters.map(({ name, in: place, required, schema, description: meaning }) => (
            <tr>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>
                <Type schema={schema} />
                <span class="optional">
                  {' '}
                  in the {place}
                  {!required && ', optional'}
                </span>
              </td>
              <td>{meaning}</td>
            </tr>
          ))}
        </Table>
      )}
      {body && (
        <>
          <p>
            Body: <Type schema={body.schema} />, as {types.join(' or ')}
          </p>
          {body.schema.$ref === undefined && <Fields schema={body.schema} />}
          {body.example !== undefined && <pre tabindex={0}>{JSON.stringify(body.example, null, 2)}</pre>}
        </>
      )}
      <Answers operation={operation} />
    </article>
  )
}

const Answers: FC<{ operation: DescribedOperation }> = ({ operation }) => (
  <Table heads={['answer', 'meaning']}>
    {Object.entries(operation.responses).flatMap(([status, { description, content }]) => {
      const [answer] = Object.values(content)
      const codes = Object.entries(answer?.examples ?? {})
      if (codes.length === 0)
        return [
          <tr>
            <th scope="row">{status}</th>
            <td>
              {description} {answer?.schema.$ref !== undefined && <Type schema={answer.schema} />}
            </td>
          </tr>,
        ]
      return codes.map(([code, { summary }]) => (
        <tr class="problem">
          <th scope="row">{status}</th>
          <td>
            <a href={`#${code}`}>
              <code>{code}</code>
            </a>{' '}
            {summary}
          </td>
        </tr>
      ))
    })}
  </Table>
)
