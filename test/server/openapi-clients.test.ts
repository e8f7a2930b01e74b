import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { validate } from '@hyperjump/json-schema/openapi-3-1'
import { Validator } from '@seriousme/openapi-schema-validator'
import { generateApi } from 'swagger-typescript-api'
import { describe, expect, test } from 'vitest'
import { document } from '../support/described.ts'

const LIMIT_MS = 120_000
const TSC = ['tsc', '--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext']
const OPTIONS = ['--moduleResolution', 'bundler', '--lib', 'es2023,dom']

const TEXT = JSON.stringify(document)
const BROKEN = JSON.stringify({ ...document, paths: { '/api/payouts': { get: { responses: [] } } } })

const VALIDATORS: Record<string, (text: string) => Promise<boolean>> = {
  '@seriousme/openapi-schema-validator': async (text) =>
    (await new Validator().validate(JSON.parse(text))).valid,
  '@apidevtools/swagger-parser': (text) =>
    SwaggerParser.validate(JSON.parse(text)).then(
      () => true,
      () => false,
    ),
  '@hyperjump/json-schema': async (text) =>
    (await validate('https://spec.openapis.org/oas/3.1/schema-base', JSON.parse(text))).valid,
}

describe.each(Object.entries(VALIDATORS))('%s', (_, isValid) => {
  test('finds the document valid', async () => expect(await isValid(TEXT)).toBe(true))
  test('finds a broken document invalid', async () => expect(await isValid(BROKEN)).toBe(false))
})

const MERCHANT = `
import { Api } from './client.ts'
const { api } = new Api()
export async function payWages(): Promise<'succeeded' | 'other'> {
  const { data } = await api.retrievePayout('WAGES-1')
  return data.outcome === 'succeeded' ? 'succeeded' : 'other'
}
`
const TYPO = MERCHANT.replace("=== 'succeeded'", "=== 'suceeded'")

if (process.env.FULL)
  test(
    'a generated client type-checks, and catches a typo',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'generated-client-'))
      try {
        await generateApi({ spec: JSON.parse(TEXT), output: folder, fileName: 'client.ts', silent: true })
        const check = (program: string) => {
          writeFileSync(join(folder, 'merchant.ts'), program)
          const files = [join(folder, 'client.ts'), join(folder, 'merchant.ts')]
          execFileSync('npx', [...TSC, ...OPTIONS, '--allowImportingTsExtensions', ...files], {
            encoding: 'utf8',
          })
        }
        expect(() => check(MERCHANT)).not.toThrow()
        expect(() => check(TYPO)).toThrow(/Command failed/)
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
    LIMIT_MS,
  )
