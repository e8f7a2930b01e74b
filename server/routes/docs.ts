/**
 * Declares the pages for developers: `GET /` and `GET /docs` say what this server is and show the OpenAPI document and
 * the problems, `GET /openapi.json` returns the document, and `GET /llms.txt` says to language models how to use this
 * server. All are public and return no secrets. The page has no scripts.
 */

import type { Hono } from 'hono'
import type { Config } from '../config/config.ts'
import type { DescribedOperation, Document, JsonSchema, Schemas } from './openapi.ts'
import type { RouteDeps } from './route.ts'
import { createHash } from 'node:crypto'
import LLMS from '../llms.txt?raw'
import { etag } from 'hono/etag'
import { html, raw } from 'hono/html'
import { PROBLEM_CODES, PROBLEM_HELP, PROBLEMS } from '../api/problem-codes.ts'
import { version } from '../package.json'
import { tagOf } from './public-url.ts'
import { etagOf } from './headers.ts'
import { createDocument, nameOf, operationsOf } from './openapi.ts'

export function declareDocs(app: Hono, { config }: RouteDeps): void {
  const document = once(async () => createDocument(app, config.publicUrl))
  const reference = async () => referencePage(config, await document())
  const constants: Record<string, [type: string, create: () => unknown]> = {
    '/openapi.json': ['application/json', async () => JSON.stringify(await document())],
    '/': ['text/html; charset=UTF-8', reference],
    '/docs': ['text/html; charset=UTF-8', reference],
    '/llms.txt': ['text/plain; charset=UTF-8', () => LLMS],
  }
  for (const [path, [type, create]] of Object.entries(constants)) {
    // Each body is created when it is first requested, because creating it earlier would delay every start. All
    // responses share its bytes, so that slow clients take no more memory.
    const created = once(async () => {
      const bytes = new TextEncoder().encode(String(await create()))
      return { bytes, etag: etagOf(bytes) }
    })
    app.get(path, etag(), async (c) => {
      const { bytes, etag: known } = await created()
      return c.body(bytes, 200, {
        'content-type': type,
        'cache-control': 'public, max-age=300',
        etag: known,
        ...(type.startsWith('text/html') && { 'content-security-policy': POLICY }),
      })
    })
  }
}

function once<Result>(create: () => Promise<Result>): () => Promise<Result> {
  let created: Promise<Result> | undefined
  return () => (created ??= create())
}

const STYLE = `
  body { max-width: 60rem; margin: auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
  article { margin: 1rem 0; padding: 0 1rem; border: 1px solid #8888; border-radius: .5rem }
  pre { padding: 1rem; overflow-x: auto; background: #8882 }
  table { width: 100%; margin: 1rem 0; border-collapse: collapse; font-size: .875rem }
  td { padding: .375rem .75rem .375rem 0; border-top: 1px solid #8888; vertical-align: top }
`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

type Html = ReturnType<typeof html>

function referencePage({ publicUrl, environment }: Config, document: Document): Html {
  const { schemas } = document.components
  const isTest = environment === 'sandbox' && ', in the sandbox environment: no real money moves'
  const operations = operationsOf(document)
  const problems = PROBLEM_CODES.map((code) => {
    const { status, title, retryable } = PROBLEMS[code]
    const again = retryable ? ' The same request may succeed later.' : ''
    return article(code, code, [`HTTP ${status}. ${title}.${again}`, PROBLEM_HELP[code]])
  })
  const named = Object.entries(schemas).map(([name, schema]) =>
    article(name, name, [schema.description], fieldsOf(schema, schemas)),
  )
  const chapters: [name: string, description: string, articles: Html[]][] = [
    ...document.tags.map(({ name, description }): [string, string, Html[]] => [
      name,
      description,
      operations.filter(({ tags }) => tags.includes(name)).map((each) => describe(each, schemas)),
    ]),
    ['Problems', 'The codes of failures.', problems],
    ['Schemas', 'What bodies and answers are made of.', named],
  ]
  const name = `gateway-checkout-server ${version}`
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${name}</title>
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <main>
          <h1>${name}</h1>
          <p>
            The payment server behind <code>&lt;gateway-checkout&gt;</code>${isTest}. Shoppers pay on the
            pages of their shop; there is nothing to buy here.
          </p>
          <pre tabindex="0">${tagOf(publicUrl).join('\n')}</pre>
          <p>
            Address: <code>${publicUrl}</code>. Routes below <code>/api</code> take
            <code>Authorization: Bearer MERCHANT_API_KEY</code>. Failures are RFC 9457 documents with a stable
            <code>code</code>. This page as OpenAPI 3.1: <a href="${publicUrl}/openapi.json">openapi.json</a>.
            Whether a payment can be stored now: <a href="${publicUrl}/health/ready">health/ready</a>.
          </p>
          <nav aria-label="Contents">${chapters.map(([name]) => html`${link(name)} `)}</nav>
          ${chapters.map(
            ([name, description, articles]) =>
              html`<section id="${name}">
                <h2>${name}</h2>
                <p>${description}</p>
                ${articles}
              </section>`,
          )}
        </main>
      </body>
    </html>`
}

function describe(operation: DescribedOperation, schemas: Schemas): Html {
  const { operationId, method, path, summary, description = '', parameters, responses } = operation
  const accepted = Object.entries(operation.requestBody?.content ?? {})
  const [, body] = accepted[0] ?? []
  const answers = Object.entries(responses).flatMap(([status, { description: meaning, content = {} }]) => {
    const [answer] = Object.values(content)
    const problems = Object.entries(answer?.examples ?? {})
    if (problems.length === 0) return [row(status, answer && typeOf(answer.schema), meaning)]
    return problems.map(([code, { summary: title }]) => row(status, link(code), title))
  })
  return article(
    operationId,
    summary,
    [`\`${method} ${path}\``, ...description.split('\n\n')],
    [
      ...parameters.map((each) => row(`${each.name} (${each.in})`, typeOf(each.schema), each.description)),
      ...(body ? [row('body', typeOf(body.schema), accepted.map(([type]) => type).join(' or '))] : []),
      ...fieldsOf(body?.schema ?? {}, schemas),
      ...answers,
    ],
    body?.example && html`<pre tabindex="0">${JSON.stringify(body.example, null, 2)}</pre>`,
  )
}

function article(
  id: string,
  title: string,
  texts: readonly (string | undefined)[],
  rows: readonly Html[] = [],
  example?: Html,
): Html {
  return html`<article id="${id}">
    <h3>${title}</h3>
    ${texts.map((text) => text && html`<p>${markUp(text)}</p>`)}
    ${
      rows.length > 0 &&
      html`<table>
        ${rows}
      </table>`
    }
    ${example}
  </article>`
}

/** Returns a row for each field, and for the fields inside, except those of a named schema, which is linked. */
function fieldsOf(
  { properties = {}, required = [], anyOf = [] }: JsonSchema,
  schemas: Schemas,
  path = '',
): Html[] {
  const rows = Object.entries(properties).flatMap(([name, field]) => {
    const meaning = field.description ?? schemas[nameOf(field) ?? '']?.description
    const isOptional = !required.includes(name) && ', optional'
    return [
      row(path + name, html`${typeOf(field)}${isOptional}`, meaning),
      ...fieldsOf(field, schemas, `${path}${name}.`),
      ...fieldsOf(field.items ?? {}, schemas, `${path}${name}[].`),
    ]
  })
  return [...rows, ...anyOf.flatMap((variant) => fieldsOf(variant, schemas, path))]
}

/** Renders a type as text, such as "list of string" or "string or null", or as a link to a named schema. */
function typeOf(schema: JsonSchema): Html {
  const { type = 'anything', maxLength, enum: values, const: value, items, anyOf } = schema
  const name = nameOf(schema)
  if (name !== undefined) return link(name)
  if (values) return html`one of ${values.map((each) => JSON.stringify(each)).join(', ')}`
  if (value !== undefined) return html`${JSON.stringify(value)}`
  if (anyOf) return html`${anyOf.map((variant, index) => html`${index > 0 && ' or '}${typeOf(variant)}`)}`
  if (items) return html`list of ${typeOf(items)}`
  return html`${[type].flat().join(' or ')}${maxLength !== undefined && ` of at most ${maxLength} characters`}`
}

function link(id: string): Html {
  return html`<a href="#${id}">${id}</a>`
}

function row(name: string, type: Html | undefined, meaning: string | undefined): Html {
  return html`<tr>
    <td><code>${name}</code></td>
    <td>${type}</td>
    <td>${meaning}</td>
  </tr>`
}

/** Renders the parts of a text in backquotes as code. */
function markUp(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
