/** The page for people: every address and every shape, server-rendered, without a script. */

import type { FC } from 'hono/jsx'
import type { Operation } from '../openapi/operation.ts'
import type { JsonSchema } from '../openapi/schemas.ts'
import { html, raw } from 'hono/html'
import { OPERATIONS } from '../openapi/document.ts'
import { TAGS } from '../openapi/operation.ts'
import { Address } from './address.tsx'
import { STYLE } from './style.ts'
import { Fields } from './table.tsx'

interface DocsPage {
  publicUrl: string
  schemas: Readonly<Record<string, JsonSchema>>
  nonce: string
}

export function docsPage({ publicUrl, schemas, nonce }: DocsPage) {
  return html`<!doctype html> ${(
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>gateway-checkout-server: its addresses</title>
          <style nonce={nonce}>{raw(STYLE)}</style>
        </head>
        <body>
          <Contents shapes={Object.keys(schemas)} />
          <main>
            <h1>gateway-checkout-server</h1>
            <p>
              Reached at <code>{publicUrl}</code>. What needs the key takes{' '}
              <code>Authorization: Bearer MERCHANT_API_KEY</code>. Failures are RFC 9457 documents with a
              stable <code>code</code>. The same for machines: <a href="/openapi.json">openapi.json</a>.
            </p>
            {Object.entries(TAGS).map(([tag, description]) => (
              <section id={tag}>
                <h2>{tag}</h2>
                <p>{description}</p>
                {operationsOf(tag).map((operation) => (
                  <Address operation={operation} />
                ))}
              </section>
            ))}
            <section id="shapes">
              <h2>Shapes</h2>
              {Object.entries(schemas).map(([name, schema]) => (
                <article id={name}>
                  <h3>{name}</h3>
                  <Fields schema={schema} />
                </article>
              ))}
            </section>
          </main>
        </body>
      </html>
    )}`
}

const Contents: FC<{ shapes: string[] }> = ({ shapes }) => (
  <nav aria-label="Contents">
    {Object.keys(TAGS).map((tag) => (
      <Chapter
        id={tag}
        title={tag}
        entries={operationsOf(tag).map(({ id, summary }) => ({ id, title: summary }))}
      />
    ))}
    <Chapter id="shapes" title="Shapes" entries={shapes.map((name) => ({ id: name, title: name }))} />
  </nav>
)

const Chapter: FC<{ id: string; title: string; entries: { id: string; title: string }[] }> = ({
  id,
  title,
  entries,
}) => (
  <section>
    <h2>
      <a href={`#${id}`}>{title}</a>
    </h2>
    <ul>
      {entries.map((entry) => (
        <li>
          <a href={`#${entry.id}`}>{entry.title}</a>
        </li>
      ))}
    </ul>
  </section>
)

function operationsOf(tag: string): Operation[] {
  return OPERATIONS.filter((operation) => operation.tag === tag)
}
