/** The commands `links list` and `links close`, for the links that `link --reusable` has made. */

import { z } from 'zod'

import { printable } from '../log/printable.ts'
import { callApi, refusalOf } from './api.ts'
import { command, JSON_OPTION } from './command.ts'

const Link = z.object({
  id: z.string(),
  url: z.string(),
  narration: z.string(),
  ends_at: z.string().optional(),
  closed_at: z.string().nullable(),
})
const Page = z.object({ items: z.array(Link), next_cursor: z.string().nullable() })

export const listLinks = command({
  text: 'list the reusable links, oldest first',
  options: { ...JSON_OPTION },
  examples: ['', '--json'],
  async run(shell, { json }) {
    const items: z.output<typeof Link>[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const path: string = `/api/links${cursor && `?cursor=${cursor}`}`
      const { body, problem } = await callApi(shell, 'GET', path)
      if (problem) {
        throw refusalOf(problem)
      }

      const page = Page.parse(body)
      items.push(...page.items)
      cursor = page.next_cursor
    }

    shell.show({ json }, items, () => items.map(lineOf).join('\n') || 'There is no reusable link.')
  },
})

function lineOf({ id, narration, ends_at, closed_at }: z.output<typeof Link>): string {
  const end = ends_at === undefined ? 'open' : `until ${ends_at}`
  return [id, closed_at === null ? end : `closed ${closed_at}`, printable(narration)].join('  ')
}

export const closeLink = command({
  text: 'close a reusable link: nobody can start to pay it any more',
  takes: '<id or address>',
  options: { ...JSON_OPTION },
  examples: ['pZ0R4uXbTn2vM8kQwY6sLg3f', 'https://pay.shop.example/link/pZ0R4uXbTn2vM8kQwY6sLg3f'],
  async run(shell, { json }, given) {
    const [, id = given] = /\/link\/([\w-]+)/.exec(given) ?? []
    const path = `/api/links/${encodeURIComponent(id)}/close`
    const { body, problem } = await callApi(shell, 'POST', path)
    if (problem) {
      throw refusalOf(problem)
    }

    shell.show({ json }, body, () => `Closed: ${Link.parse(body).url}`)
  },
})
