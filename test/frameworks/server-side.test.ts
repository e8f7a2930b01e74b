import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const TAG =
  '<gateway-checkout order="A-1" payer-name="Asha Mwangi" required="">Pay at the counter.</gateway-checkout>'

test('on a server the packages load without a DOM, and the tag is written with its attributes', () => {
  const printed = execFileSync(process.execPath, ['test/frameworks/server-side.mjs'], { encoding: 'utf8' })
  expect(JSON.parse(printed)).toEqual({ hasDom: false, react: TAG, vue: TAG.replace('=""', '') })
})
