import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROOM = 'server'

test('the README names every file with an assumption, and only those', () => {
  const files = readdirSync(ROOM, { recursive: true, encoding: 'utf8' })
  const assuming = files
    .filter((path) => /\.tsx?$/.test(path) && !/^(dist|node_modules)\//.test(path))
    .filter((path) => readFileSync(`${ROOM}/${path}`, 'utf8').includes('[assumed]'))
  const [, list = ''] = readFileSync(`${ROOM}/README.md`, 'utf8').split('\n## [assumed]\n')
  const named = [...list.matchAll(/`([\w/.-]+\.tsx?)`/g)].map(([, path]) => path)
  expect(new Set(named)).toEqual(new Set(assuming))
})
