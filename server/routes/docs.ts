/**
 * Declares the pages for developers: `GET /` says what this server is, `GET /docs` shows the OpenAPI document and the
 * problems, `GET /openapi.json` returns the document, and `GET /llms.txt` says to language models how to use this
 * server. All are public and return no secrets. The pages have no scripts.
 */

import type { Context, Hono } from 'hono'
import type { DescribedOperation, Document } from './openapi.ts'
import type { JsonSchema, RouteDeps } from './route.ts'
import { createHash } from 'node:crypto'
import LLMS from '../llms.txt?raw'
import { html, raw } from 'hono/html'
import { PROBLEM_CODES, PROBLEM_HELP, PROBLEMS } from '../api/problem-codes.ts'
import { version } from '../package.json'
import { createDocument, operationsOf } from './openapi.ts'

/** A response body that is created once. All responses share its bytes, so that slow clients take no more memory. */
interface Constant {
  bytes: Uint8Array<ArrayBuffer>
  headers: Record<string, string>
}

export function declareDocs(app: Hono, { config: { publicUrl, environment } }: RouteDeps): void {
  const document = once(async () => createDocument(app, publicUrl))
  const constants: Record<string, () => Promise<Constant>> = {
    '/openapi.json': async () => constant(JSON.stringify(await document()), 'application/json'),
    '/': async () => page(await homePage(publicUrl, environment)),
    '/docs': async () => page(await referencePage(publicUrl, await document())),
    '/llms.txt': async () => constant(LLMS, 'text/plain; charset=UTF-8'),
  }
  for (const [path, create] of Object.entries(constants)) {
    // Each body is created when it is first requested. Creating it earlier would delay every start.
    const created = once(create)
    app.get(path, async (c) => answer(c, await created()))
  }
}

function answer(c: Context, { bytes, headers }: Constant): Response {
  const etag = headers['etag'] ?? ''
  // A proxy that compresses the response adds the prefix W/ to the ETag.
  if (c.req.header('if-none-match')?.includes(etag)) return c.body(null, 304, headers)
  return c.body(bytes, 200, headers)
}

const STYLE = `
  body { max-width: 60rem; margin: auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
  article { margin: 1rem 0; padding: 0 1rem; border: 1px solid #8888; border-radius: .5rem }
  pre { padding: 1rem; overflow-x: auto; background: #8882 }
  table { width: 100%; margin: 1rem 0; border-collapse: collapse; font-size: .875rem }
  td { padding: .375rem .75rem .375rem 0; border-top: 1px solid #8888; vertical-align: top }
`

const POLICY = `default-src 'none'; style-src 'sha256-${hashOf(STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

function page(html: { toString(): string }): Constant {
  return constant(html.toString(), 'text/html; charset=UTF-8', { 'content-security-policy': POLICY })
}

function constant(text: string, type: string, headers: Record<string, string> = {}): Constant {
  const etag = `"${hashOf(text, 'base64url')}"`
  const cached = { 'content-type': type, etag, 'cache-control': 'public, max-age=300' }
  return { bytes: new TextEncoder().encode(text), headers: { ...cached, ...headers } }
}

function hashOf(text: string, encoding: 'base64' | 'base64url'): string {
  return createHash('sha256').update(text).digest(encoding)
}

function once<Result>(create: () => Promise<Result>): () => Promise<Result> {
  let created: Promise<Result> | undefined
  return () => (created ??= create())
}

type Html = ReturnType<typeof html>
type Schemas = Document['components']['schemas']

function layOut(title: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`
}

function homePage(publicUrl: string, environment: 'sandbox' | 'production'): Html {
  const tag = `<script type="module" src="${publicUrl}/gateway-checkout.js"></script>
<gateway-checkout server="${publicUrl}" order="ORDER"></gateway-checkout>`
  return layOut(
    `gateway-checkout-server ${version}`,
    html` <p>
        The payment server behind
        <code>&lt;gateway-checkout&gt;</code
        >${environment === 'sandbox' && ', in the sandbox environment: no real money moves'}. Shoppers pay on
        the pages of their shop; there is nothing to buy here.
      </p>
      <pre tabindex="0">${tag}</pre>
      <ul>
        <li><a href="${publicUrl}/docs">Reference of every route, event and problem</a></li>
        <li><a href="${publicUrl}/openapi.json">The same as OpenAPI 3.1</a></li>
        <li><a href="${publicUrl}/health/ready">Whether a payment can be stored now</a></li>
      </ul>`,
  )
}

function referencePage(publicUrl: string, document: Document): Html {
  const { tags, components } = document
  const { schemas } = components
  const operations = operationsOf(document)
  const chapters = [...tags.map(({ name }) => name), 'Problems', 'Schemas']
  return layOut(
    'API reference: gateway-checkout-server',
    html` <p>
        Address: <code>${publicUrl}</code>. Routes below <code>/api</code> take
        <code>Authorization: Bearer MERCHANT_API_KEY</code>. Failures are RFC 9457 documents with a stable
        <code>code</code>. This page as OpenAPI 3.1: <a href="${publicUrl}/openapi.json">openapi.json</a>.
      </p>
      <nav aria-label="Contents">${chapters.map((name) => html`<a href="#${name}">${name}</a> `)}</nav>
      ${tags.map(
        ({ name, description }) =>
          html`<section id="${name}">
            <h2>${name}</h2>
            <p>${description}</p>
            ${operations.filter((each) => each.tags.includes(name)).map((each) => renderOperation(each, schemas))}
          </section>`,
      )}
      <section id="Problems">
        <h2>Problems</h2>
        ${PROBLEM_CODES.map(
          (code) =>
            html`<article id="${code}">
              <h3><code>${code}</code></h3>
              <p>
                HTTP ${PROBLEMS[code].status}.
                ${PROBLEMS[code].title}.${PROBLEMS[code].retryable && ' The same request may succeed later.'}
              </p>
              <p>${withCode(PROBLEM_HELP[code])}</p>
            </article>`,
        )}
      </section>
      <section id="Schemas">
        <h2>Schemas</h2>
        ${Object.entries(schemas).map(
          ([name, schema]) =>
            html`<article id="${name}">
              <h3>${name}</h3>
              <p>${schema.description}</p>
              ${table(fieldsOf(schema, schemas))}
            </article>`,
        )}
      </section>`,
  )
}

function renderOperation(operation: DescribedOperation, schemas: Schemas): Html {
  const { operationId, method, path, summary, description, parameters, requestBody, responses } = operation
  const [body] = Object.values(requestBody?.content ?? {})
  const answers = Object.entries(responses).flatMap(([status, { description: meaning, content = {} }]) => {
    const [answer] = Object.values(content)
    const problems = Object.entries(answer?.examples ?? {})
    if (problems.length === 0) return [row(status, answer && typeOf(answer.schema), meaning)]
    return problems.map(([code, { summary: title }]) => row(status, link(code), title))
  })
  return html`<article id="${operationId}">
    <h3>${summary}</h3>
    <p><code>${method} ${path}</code></p>
    ${description?.split('\n\n').map((paragraph) => html`<p>${paragraph}</p>`)}
    ${table([
      ...parameters.map((each) => row(`${each.name} (${each.in})`, typeOf(each.schema), each.description)),
      ...(body
        ? [row('body', typeOf(body.schema), Object.keys(requestBody?.content ?? {}).join(' or '))]
        : []),
      ...(body ? fieldsOf(body.schema, schemas) : []),
      ...answers,
    ])}
    ${body?.example !== undefined && html`<pre tabindex="0">${JSON.stringify(body.example, null, 2)}</pre>`}
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
      ...(field.items ? fieldsOf(field.items, schemas, `${path}${name}[].`) : []),
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

function nameOf({ $ref }: JsonSchema): string | undefined {
  return $ref?.split('/').at(-1)
}

function link(id: string): Html {
  return html`<a href="#${id}">${id}</a>`
}

function table(rows: readonly Html[]): Html {
  return html`<table>
    ${rows}
  </table>`
}

function row(name: string, type: Html | undefined, meaning: string | undefined): Html {
  return html`<tr>
    <td><code>${name}</code></td>
    <td>${type}</td>
    <td>${meaning}</td>
  </tr>`
}

/** Renders the parts of a text in backquotes as code. */
function withCode(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
