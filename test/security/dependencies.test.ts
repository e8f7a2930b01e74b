import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { productionDependencies } from '../supply/production.ts'

const dependencies = [...productionDependencies('server'), ...productionDependencies('widget')]

test('no dependency that an installation needs runs a script when it is installed', () => {
  expect(dependencies.length).toBeGreaterThan(40)
  const running = dependencies.filter(({ hasInstallScript, isOptional }) => hasInstallScript && !isOptional)
  expect(running.map(({ name }) => name)).toEqual([])
})

test('the packages run no script themselves when they are installed', () => {
  for (const name of ['server', 'widget', 'demo/create']) {
    const { scripts = {} }: { scripts?: object } = JSON.parse(readFileSync(`${name}/package.json`, 'utf8'))
    expect(scripts).toEqual({})
  }

  expect(readFileSync('.npmrc', 'utf8')).toMatch(/^ignore-scripts=true$/m)
})

test('each dependency comes from the registry, with a hash that npm checks', () => {
  const foreign = dependencies.filter(
    ({ resolved, integrity }) =>
      !/^(https:\/\/registry\.npmjs\.org\/|$)/.test(resolved) || !/^sha512-[\w+/]{86}==$/.test(integrity),
  )
  expect(foreign.map(({ name, resolved }) => `${name} ${resolved}`)).toEqual([])
})
