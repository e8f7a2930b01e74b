/**
 * The page that shows an OpenAPI document to people. It loads nothing. Its one script filters what is shown, and unfolds
 * what a link leads to; without the script, the page is complete.
 */

import { html, raw } from 'hono/html'
import { createHash } from 'node:crypto'

import { nameOf, operationsOf } from './document.ts'

import type { DescribedOperation, Document, JsonSchema, Schemas } from './document.ts'

// The colours are those of the hosted page and of the portal.
const STYLE = `
  :root {
    color-scheme: light dark; scroll-padding-top: 8.5rem;
    --page: light-dark(#f6f7f4, #0e1412); --card: light-dark(#ffffff, #17201c); --ink: light-dark(#17231d, #eaf1ed);
    --quiet: light-dark(#52605a, #a9b8b0); --line: light-dark(#dbe1dc, #2d3a34); --edge: light-dark(#7b8a83, #75877e);
    --accent: light-dark(#0b6b4f, #74d9b4); --tint: light-dark(#e7f3ee, #143028); --plain: light-dark(#eef1ee, #202b26);
    --focus: light-dark(#1a56db, #8db4ff);
  }
  * { box-sizing: border-box }
  [hidden] { display: none !important }
  body {
    max-width: 76rem; margin: auto; padding: 1.25rem 1rem 4rem; background: var(--page); color: var(--ink);
    font: .9375rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; overflow-wrap: anywhere;
  }
  h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.015em }
  h2 { margin: 2rem 0 .25rem; font-size: 1.25rem; line-height: 1.3 }
  h3 { margin: 0; font-size: 1rem; line-height: 1.35 }
  p { margin: .5rem 0; max-width: 46rem }
  section > p, article p { color: var(--quiet) }
  a { display: inline-block; min-height: 1.5rem; color: var(--accent) }
  :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px }
  code, pre { font: .875em/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace }
  pre { margin: .75rem 0; padding: .875rem 1rem; overflow-x: auto; border-radius: .75rem; background: var(--plain) }
  article { margin: .625rem 0; padding: .75rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem }
  article:target { border-color: var(--accent) }
  summary { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; margin: -.75rem -1rem; padding: .75rem 1rem; border-radius: .75rem; cursor: pointer }
  summary:hover { background: var(--tint) }
  summary::-webkit-details-marker { display: none }
  summary > p { grid-column: 1; margin: .125rem 0 0 }
  summary::after { content: '+'; grid-area: 1 / 2 / span 2; align-self: center; color: var(--quiet); font-size: 1.25rem; line-height: 1 }
  [open] > summary { margin-bottom: .5rem }
  [open] > summary::after { content: '−' }
  table { width: 100%; margin: .75rem 0; border-collapse: collapse; table-layout: fixed; font-size: .875rem }
  td { padding: .375rem .75rem .375rem 0; border-top: 1px solid var(--line); vertical-align: top }
  .contents { position: sticky; top: 0; z-index: 1; margin: 1rem -1rem 0; padding: .5rem 1rem; background: var(--page); border-bottom: 1px solid var(--line) }
  .contents ul { display: flex; gap: .25rem; margin: 0; padding: 0; overflow-x: auto; list-style: none }
  .contents a { display: grid; align-items: center; min-height: 2.75rem; padding: 0 .75rem; border-radius: .75rem; text-decoration: none; white-space: nowrap }
  .contents a:hover { background: var(--tint) }
  .filter { display: flex; align-items: center; gap: .75rem }
  .filter label { font-weight: 600 }
  .filter input {
    flex: 1; min-width: 0; min-height: 2.75rem; padding: .25rem .75rem; font: inherit; color: inherit; background: var(--card);
    border: 1px solid var(--edge); border-radius: .75rem;
  }
  .filter [role=status] { color: var(--quiet); font-size: .8125rem; white-space: nowrap }
  .filter [role=status]:empty { display: none }
  @media (width < 40rem) { td { display: block; padding: 0 } td + td { border: 0 } td:last-child { padding-bottom: .5rem } }
  @media (width >= 60rem) {
    :root { scroll-padding-top: 1rem }
    .beside { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 2rem; align-items: start }
    .contents { margin: 1rem 0; padding: 0; border: 0; max-height: calc(100vh - 1rem); overflow-y: auto }
    .contents ul { display: block }
    .contents a { min-height: 2.25rem }
    .filter { flex-wrap: wrap; gap: .375rem; margin: 4px }
    .filter input { flex: 1 0 100% }
  }
  @media (forced-colors: active) { article:target { outline: 2px solid } }
`

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
    count.textContent = field.value === '' ? '' : shown + ' of ' + articles.length
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
