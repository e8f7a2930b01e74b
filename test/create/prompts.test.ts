import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, expect, onTestFinished, test } from 'vitest'

import { newFolder } from '../support/folder.ts'

const COMMAND = resolve('demo/create/dist/create.js')
const CTRL_C = '\u0003'
const CTRL_D = '\u0004'

const folder = newFolder(afterAll)

test('the command asks in a terminal for the folder and the template, and again after a wrong answer', async () => {
  mkdirSync(join(folder, 'taken'))
  writeFileSync(join(folder, 'taken/.env'), 'mine')
  const { code, said } = await answer([
    [/Folder \(gateway-checkout-shop\): /, 'taken\r'],
    [/"taken" exists and is not empty\. Nothing was written: name a new folder\.\s+Folder/, 'duka\r'],
    [/1 {2}Node[^]*6 {2}Python[^]*Template \(1\): /, '9\r'],
    [/Enter a number from 1 to 6\.\s+Template/, 'python\r'],
  ])
  expect({ code, said }).toEqual({ code: 0, said: expect.stringMatching(/ {2}cd duka\r?\n {2}npm install/) })
  expect(existsSync(join(folder, 'duka/shop.py'))).toBe(true)
})

test.each([
  ['Ctrl+C', CTRL_C],
  ['Ctrl+D', CTRL_D],
])('%s ends the command in one line, and nothing is written', async (_, key) => {
  const before = readdirSync(folder)
  const { code, said } = await answer([
    [/Folder/, 'new\r'],
    [/Template/, key],
  ])
  expect({ code, said }).toEqual({
    code: 130,
    said: expect.stringMatching(/\nCancelled\. Nothing was written\.\r?\n$/),
  })
  expect(readdirSync(folder)).toEqual(before)
})

type Dialogue = readonly (readonly [question: RegExp, keys: string])[]

/** Runs the command in a terminal, and presses keys after each question. Resolves with its exit code and its words. */
async function answer(dialogue: Dialogue): Promise<{ code: unknown; said: string }> {
  const terminal = spawn('script', ['-qec', `'${process.execPath}' '${COMMAND}'`, '/dev/null'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void terminal.kill())
  const ended = once(terminal, 'exit')
  const left = [...dialogue]
  let said = ''
  let unanswered = ''
  terminal.stdout.on('data', (piece: Buffer) => {
    const words = stripVTControlCharacters(piece.toString())
    said += words
    unanswered += words
    const [next] = left
    if (!next?.[0].test(unanswered)) {
      return
    }

    left.shift()
    unanswered = ''
    terminal.stdin.write(next[1])
  })
  const [code] = await ended
  expect(left).toEqual([])
  return { code, said }
}
