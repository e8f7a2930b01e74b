/** The page that shows an OpenAPI document to people. It has no scripts, and loads nothing. */

import { html, raw } from 'hono/html'
import { createHash } from 'node:crypto'

import { nameOf, operationsOf } from './document.ts'

import type { DescribedOperation, Document, JsonSchema, Schemas } from './document.ts'

const STYLE = `
  body { max-width: 60rem; margin: auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
  article { margin: 1rem 0; padding: 0 1rem; border: 1px solid #8888; border-radius: .5rem }
  pre { padding: 1rem; overflow-x: auto; background: #8882 }
  table { width: 100%; margin: 1rem 0; border-collapse: collapse; font-size: .875rem }
  td { padding: .375rem .75rem .375rem 0; border-top: 1px solid #8888; vertical-align: top }
  @media (width < 40rem) { td { display: block; padding: 0 } td + td { border: 0 } td:last-child { padding-bottom: .5rem } }
`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
/** The Content-Security-Policy of the page. */
export const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export type Html = ReturnType<typeof html>

interface Chapter {
  name: string
  description: string
  articles: Html[]
}

/** @param more The chapters between the operations and the schemas. */
export function referencePage(title: string, intro: Html, document: Document, more: Chapter[] = []): Html {
  const { schemas } = document.components
  const operations = operationsOf(document)
  const articlesOf = (tag: string) =>
    operations.filter(({ tags }) => tags.includes(tag)).map((each) => operationArticle(each, document))
  const schemaArticles = Object.entries(schemas).map(([name, schema]) =>
    article(name, name, [schema.description], fieldsOf(schema, schemas)),
  )
  const chapters: Chapter[] = [
    ...document.tags.map((tag) => ({ ...tag, articles: articlesOf(tag.name) })),
    ...more,
    { name: 'Schemas', description: 'What bodies and answers are made of.', articles: schemaArticles },
  ]
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
          ${intro}
          <nav aria-label="Contents">${chapters.map(({ name }) => html`${link(name)} `)}</nav>
          ${chapters.map(
            ({ name, description, articles }) =>
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

function operationArticle(operation: DescribedOperation, document: Document): Html {
  const { operationId, method, path, summary, description = '', parameters, responses } = operation
  const { schemas } = document.components
  // All content types of a request share one schema, and so do those of an answer.
  const bodies = operation.requestBody?.content ?? {}
  const [body] = Object.values(bodies)
  const answers = Object.entries(responses).flatMap(([status, { description: meaning, content = {} }]) => {
    const [answer] = Object.values(content)
    const problems = Object.entries(answer?.examples ?? {})
    if (problems.length === 0) {
      return [row(status, answer && typeOf(answer.schema), meaning)]
    }
    return problems.map(([code, { summary: title }]) => row(status, link(code), title))
  })
  const callbacks = Object.values(operation.callbacks ?? {}).flatMap((byAddress) => Object.values(byAddress))
  return article(
    operationId,
    summary,
    [`\`${method} ${path}\``, ...description.split('\n\n')],
    [
      ...parameters.map((each) => row(`${each.name} (${each.in})`, typeOf(each.schema), each.description)),
      ...(body ? [row('body', typeOf(body.schema), Object.keys(bodies).join(' or '))] : []),
      ...fieldsOf(body?.schema ?? {}, schemas),
      ...answers,
      ...callbacks.map(({ post }) => row('callback', link(post.operationId), post.description)),
    ],
    // The path of an event or a callback is no address of this server.
    path.startsWith('/') ? html`<pre tabindex="0">${commandOf(operation, document)}</pre>` : undefined,
  )
}

/** Returns a shell command that sends the example of a request. A variable holds the token or the key. */
function commandOf(operation: DescribedOperation, { servers, components }: Document): string {
  const { method, path, parameters, requestBody, security = [] } = operation
  const query = new URLSearchParams()
  let address = path
  for (const { name, in: place, required, schema } of parameters) {
    const [example] = schema.examples ?? schema.enum ?? [name]
    if (place === 'path') {
      address = address.replace(`{${name}}`, encodeURIComponent(String(example)))
    } else if (required) {
      query.set(name, String(example))
    }
  }

  const search = query.size > 0 ? `?${query.toString()}` : ''
  const headers = Object.keys(security[0] ?? {}).map((scheme) => {
    const { name } = components.securitySchemes[scheme] ?? {}
    return `-H "${name ? `${name}: ` : 'authorization: Bearer '}$TOKEN"`
  })
  const [[type, body] = []] = Object.entries(requestBody?.content ?? {})
  // A quote in the body would end the text of the shell, so it stands between two such texts.
  const json = JSON.stringify(body?.example, null, 2)?.replaceAll("'", String.raw`'\''`)
  return [
    `curl ${method === 'POST' && !body ? '-X POST ' : ''}'${servers[0]?.url}${address}${search}'`,
    ...headers,
    ...(body ? [`-H 'content-type: ${type}'`, `-d '${json}'`] : []),
  ].join(' \\\n  ')
}

export function article(
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
  if (name !== undefined) {
    return link(name)
  }
  if (values) {
    return html`one of ${values.map((each) => JSON.stringify(each)).join(', ')}`
  }
  if (value !== undefined) {
    return html`${JSON.stringify(value)}`
  }
  if (anyOf) {
    return html`${anyOf.map((variant, index) => html`${index > 0 && ' or '}${typeOf(variant)}`)}`
  }
  if (items) {
    return html`list of ${typeOf(items)}`
  }
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

/** Renders the parts of a text in backquotes as code: every second part. */
function markUp(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
