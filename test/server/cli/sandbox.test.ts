import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { newFolder } from '../../support/folder.ts'
import { createTerminal } from '../../support/worlds/terminal.ts'

import type { AddressInfo } from 'node:net'

test('sandbox names a port that is taken, and why it cannot be used', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const { code, out, err } = await createTerminal().run(['sandbox', '--port', String(port)])
  other.close()
  expect({ code, out }).toEqual({ code: 69, out: '' })
  expect(err).toMatch(new RegExp(`cannot listen on port ${port}: .*EADDRINUSE`))
})

test.each([
  ['in its first line', '["begin",}\n'],
  ['in a later line', '["begin",1,{"seed":1,"environment":"sandbox","charges":"spec"}]\n["request",}\n'],
])('sandbox names a state that is damaged %s, and no port', async (_, text) => {
  const state = join(newFolder(), 'sandbox.journal')
  writeFileSync(state, text)
  const { code, out, err } = await createTerminal().run(['sandbox', '--port', '0', '--state', state])
  expect({ code, out }).toEqual({ code: 65, out: '' })
  expect(err).toContain('is damaged')
  expect(err).not.toContain('port')
})

test.each(['sandbox.test:4010', 'https://sandbox.test', 'Sandbox.test', 'sandbox.test/pay', 'two names'])(
  'sandbox says how the host %j has to be written',
  async (host) => {
    const { code, err } = await createTerminal().run(['sandbox', '--allow-host', host])
    expect(code).toBe(2)
    expect(err).toContain(`"${host}"`)
    expect(err).toContain('lower case, without scheme, port and path')
  },
)
