/**
 * The page that shows an OpenAPI document to people. It loads nothing. Its one script filters what is shown, and unfolds
 * what a link leads to; without the script, the page is complete.
 */

import { html, raw } from 'hono/html'
import { createHash } from 'node:crypto'

import { nameOf, operationsOf } from './document.ts'
import STYLE from './page.css?raw'

import type { DescribedOperation, Document, JsonSchema, Schemas } from './document.ts'

/** A filter cannot hide what a link leads to. */
const SCRIPT = `
  const filter = document.querySelector('[role=search]')
  const field = filter.querySelector('input')
  const count = filter.querySelector('[role=status]')
  const articles = Array.from(document.querySelectorAll('article'), (article) => [article, article.textContent.toLowerCase()])
  const entries = Array.from(document.querySelectorAll('nav li'), (entry) => [entry, document.getElementById(entry.textContent.trim())])

  const show = () => {
    const words = field.value.toLowerCase().split(' ')
    for (const [article, text] of articles) {
      article.hidden = !words.every((word) => text.includes(word))
    }

    for (const [entry, section] of entries) {
      const isEmpty = !section.querySelector('article:not([hidden])')
      section.hidden = isEmpty
      entry.hidden = isEmpty
    }

    const shown = articles.filter(([article]) => !article.hidden).length
    const found = shown === 0 ? 'Nothing has this text.' : shown + ' of ' + articles.length
    count.textContent = field.value === '' ? '' : found
  }

  const follow = () => {
    const target = document.querySelector(':target')
    if (target?.closest('[hidden]')) {
      field.value = ''
      show()
    }
    target?.querySelector(':scope > details')?.setAttribute('open', '')
    target?.scrollIntoView()
  }

  filter.hidden = false
  field.addEventListener('input', show)
  addEventListener('hashchange', follow)
  addEventListener('load', follow)
`

/** The Content-Security-Policy of the page. */
export const POLICY = `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

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
          <div class="beside">
            <div class="contents">
              <div class="filter" role="search" hidden>
                <label for="filter">Filter</label>
                <input id="filter" type="search" autocomplete="off" spellcheck="false" />
                <span role="status"></span>
              </div>
              <nav aria-label="Contents">
                <ul>
                  ${chapters.map(({ name }) => html`<li>${link(name)}</li>`)}
                </ul>
              </nav>
            </div>
            <div>
              ${chapters.map(
                ({ name, description, articles }) =>
                  html`<section id="${name}">
                    <h2>${name}</h2>
                    <p>${description}</p>
                    ${articles}
                  </section>`,
              )}
            </div>
          </div>
        </main>
        ${raw(`<script>${SCRIPT}</script>`)}
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

/** Returns an article. One with rows or an example is folded below its title and its first text. */
export function article(
  id: string,
  title: string,
  texts: readonly (string | undefined)[],
  rows: readonly Html[] = [],
  example?: Html,
): Html {
  const heading = html`<h3>${title}</h3>`
  const [first, ...others] = texts.map((text) => text && html`<p>${markUp(text)}</p>`)
  if (rows.length === 0 && !example) {
    return html`<article id="${id}">${heading}${first}${others}</article>`
  }

  const table =
    rows.length > 0 &&
    html`<table>
      ${rows}
    </table>`
  return html`<article id="${id}">
    <details>
      <summary>${heading}${first}</summary>
      ${others}${table}${example}
    </details>
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

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
