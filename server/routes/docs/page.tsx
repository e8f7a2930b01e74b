/**
 * Renders the page `/docs`, which describes every route, event, problem and schema, the element, the commands and the
 * environment variables. Its only script is the filter.
 */

import type { FC } from 'hono/jsx'
import type { DescribedOperation, DocumentParts } from './document.ts'
import { html, raw } from 'hono/html'
import { PROBLEM_CODES } from '../../api/problem-codes.ts'
import { operationsOf, webhooksOf } from './document.ts'
import { FILTER } from './filter.ts'
import { idOf, Names } from './names.tsx'
import { Operation } from './operation.tsx'
import { Problems } from './problems.tsx'
import { referenceTables } from './reference-tables.ts'
import { STYLE } from './style.ts'
import { Fields } from './table.tsx'

interface DocsPage {
  publicUrl: string
  document: DocumentParts
}

export function docsPage({ publicUrl, document }: DocsPage) {
  const chapters = chaptersOf(document)
  const tables = referenceTables()
  const schemas = Object.entries(document.components.schemas)
  return html`<!doctype html> ${(
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>API reference: gateway-checkout-server</title>
          <style>{raw(STYLE)}</style>
        </head>
        <body>
          <nav aria-label="Contents">
            <div role="search" hidden>
              <label>
                Filter <input type="search" />
              </label>{' '}
              <output></output>
            </div>
            {chapters.map(({ name, operations }) => (
              <Contents
                id={name}
                entries={operations.map(({ operationId, summary }) => [operationId, summary])}
              />
            ))}
            {tables.map(({ id, title, rows }) => (
              <Contents id={id} title={title} entries={rows.map(({ name }) => [idOf(id, name), name])} />
            ))}
            <Contents id="Problems" entries={PROBLEM_CODES.map((code) => [code, code])} />
            <Contents id="Schemas" entries={schemas.map(([name]) => [name, name])} />
          </nav>
          <main>
            <h1>gateway-checkout-server</h1>
            <p>
              Address: <code>{publicUrl}</code>. Routes that need the key take{' '}
              <code>Authorization: Bearer MERCHANT_API_KEY</code>. Failures are RFC 9457 documents with a
              stable <code>code</code>. This page as OpenAPI 3.1:{' '}
              <a href={`${publicUrl}/openapi.json`}>openapi.json</a>.
            </p>
            {chapters.map(({ name, description, operations }) => (
              <section id={name}>
                <h2>{name}</h2>
                <p>{description}</p>
                {operations.map((operation) => (
                  <Operation operation={operation} />
                ))}
              </section>
            ))}
            {tables.map((table) => (
              <Names table={table} />
            ))}
            <Problems />
            <section id="Schemas">
              <h2>Schemas</h2>
              {schemas.map(([name, schema]) => (
                <article id={name}>
                  <h3>{name}</h3>
                  <p>{schema.description}</p>
                  <Fields schema={schema} />
                </article>
              ))}
            </section>
          </main>
          <script type="module">{raw(FILTER)}</script>
        </body>
      </html>
    )}`
}

interface Chapter {
  name: string
  description: string
  operations: DescribedOperation[]
}

function chaptersOf(document: DocumentParts): Chapter[] {
  const operations = [...operationsOf(document), ...webhooksOf(document)]
  return document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ tags }) => tags.includes(tag.name)),
  }))
}

interface ContentsProps {
  id: string
  title?: string
  entries: [id: string, title: string][]
}

const Contents: FC<ContentsProps> = ({ id, title = id, entries }) => (
  <section>
    <h2>
      <a href={`#${id}`}>{title}</a>
    </h2>
    <ul>
      {entries.map(([entry, name]) => (
        <li>
          <a href={`#${entry}`}>{name}</a>
        </li>
      ))}
    </ul>
  </section>
)
