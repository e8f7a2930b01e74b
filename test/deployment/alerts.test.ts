import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'

import { readConfig } from '../../server/config/config.ts'
import { createMetrics } from '../../server/metrics/prometheus.ts'
import { openStore } from '../../server/store/open.ts'
import { newFolder } from '../support/folder.ts'
import { ENVIRONMENT } from '../support/worlds/environment.ts'

interface Rule {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string }
}

const { groups }: { groups: { rules: Rule[] }[] } = parse(
  readFileSync('server/deployment/alerts.yml', 'utf8'),
)
const rules = groups.flatMap((group) => group.rules)
/** Labels whose values appear with the first request. */
const OPEN_LABELS = ['code', 'status']

test('each metric of the alert rules exists, under its full name, and so does each series with a label', async () => {
  const folder = newFolder()
  const scraped = await Promise.all(
    [`sqlite:${join(folder, 'store.sqlite')}`, 'postgres://nobody@127.0.0.1:1/none'].map(scrape),
  )
  const lines = scraped.join('\n')
  const names = new Set(['up', ...[...lines.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(namesOf)])
  for (const { alert, expr } of rules) {
    const selectors = [
      ...expr
        .replaceAll(/by \([\w, ]+\)/g, '')
        .matchAll(/\b([a-z]\w+)(?:\{([^}]*)\})?(?=\s*(?:\[|[<>=)]|$))/g),
    ]
    expect(selectors, alert).not.toEqual([])
    for (const [, name = '', labels = ''] of selectors) {
      expect(names, `${alert}: ${name}`).toContain(name)
      const known = [...labels.matchAll(/(\w+)="([^"]*)"/g)].filter(
        ([, label = '']) => !OPEN_LABELS.includes(label),
      )
      const series = lines.split('\n').filter((line) => new RegExp(`^${name}[ {]`).test(line))
      if (known.length > 0 && name !== 'up') {
        expect(
          series.some((line) => known.every(([selector]) => line.includes(selector))),
          `${alert}: ${name}{${labels}}`,
        ).toBe(true)
      }
    }
  }
})

test('OPERATING.md explains each alert, and no other', () => {
  const [, chapter = ''] = readFileSync('server/OPERATING.md', 'utf8').split('\n## Alerts\n')
  const [table = ''] = chapter.split('\n## ')
  const explained = [...table.matchAll(/^\| ([A-Z][^|]*?) \|/gm)].map(([, name]) => name)
  expect(new Set(rules.map(({ annotations }) => annotations.summary))).toEqual(new Set(explained))
  for (const { labels } of rules) {
    expect(['page', 'ticket']).toContain(labels.severity)
  }
})

/** Returns the metrics of a server that has just started. */
async function scrape(storeUrl: string): Promise<string> {
  const store = openStore(storeUrl)
  onTestFinished(() => store.close())
  const config = readConfig({ ...ENVIRONMENT, STORE_URL: storeUrl })
  const metrics = createMetrics({ config, store })
  return (await metrics.fetch(new Request('http://localhost:9464/metrics'))).text()
}

function namesOf([, name = '', type]: RegExpMatchArray): string[] {
  return type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name]
}
