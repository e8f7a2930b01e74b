import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { runInNewContext } from 'node:vm'
import { afterAll, expect, test, vi } from 'vitest'

import { TEMPLATES } from '../../demo/create/write-project.ts'
import { readConfig } from '../../server/config/config.ts'
import { en } from '../../widget/words/en.ts'
import { createProject, linkModules } from '../create/packed.ts'
import { freePorts, movePorts, payOrder, run } from '../create/shop.ts'
import { installTestRunners } from '../examples/languages.ts'
import { onPath, searchPath } from '../support/debian.ts'
import { describedApp } from '../support/described.ts'
import { newFolder } from '../support/folder.ts'
import { blocksOf, FILE, follow, shims } from './follow.ts'

const TIMEOUT_MS = 600_000
vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS })

const GUIDES = readdirSync('server/guides').map((name) => `server/guides/${name}`)

const folder = newFolder(afterAll)

// The chapters that create a shop are not followed: the tests of `create/` start each template, and pay.
test.each(['node', 'next', 'php', 'python'] as const)(
  'what the guide %s quotes is in the template',
  (name) => {
    const quotes = blocksOf(`server/guides/${name}.md`).filter(
      ({ text }) => FILE.test(text) && !text.startsWith('# django_') && !text.startsWith('# flask_'),
    )
    expect(quotes.length).toBeGreaterThan(3)
    for (const { text } of quotes) {
      const [first = '', file = ''] = FILE.exec(text) ?? []
      const [path] = TEMPLATES[name].parts
        .map((part) => `demo/create/templates/${part}/${file.replace(/^\./, '')}`)
        .filter((each) => existsSync(each))
      expect(path && readFileSync(path, 'utf8'), file).toContain(text.slice(first.length))
    }
  },
)

// What the shop has before, and what it still has.
const OWN = {
  '.env': 'OWN=kept',
  '.gitignore': 'dist/',
  'package.json': '{"name":"mine","type":"module"}\n',
  'shop.mjs': `import { embed } from 'gateway-checkout-server'
import { findOrder, onEvent } from './orders.mjs'
import { startSandboxIfLocal } from './sandbox.mjs'

await startSandboxIfLocal()
const { config, stop } = await embed({ orders: findOrder, onEvent })
console.log(\`mine: \${process.env.OWN} \${config.publicUrl}\`)
await stop()
process.exit()
`,
}

test.concurrent.each(['node', 'next', 'php', 'python'] as const)(
  'what the guide %s adds to a shop overwrites nothing of it, and starts',
  async (name) => {
    const place = mkdtempSync(join(folder, `own-${name}-`))
    const ports = await freePorts()
    createProject(place, ['shop', '--template', name])
    const [mine, project] = ['my-shop', 'shop'].map((each) => join(place, each))
    mkdirSync(mine!)
    for (const [file, text] of Object.entries(OWN)) {
      writeFileSync(join(mine!, file), text)
    }

    movePorts(project!, ports)

    const added = blocksOf(`server/guides/${name}.md`).find(({ text }) => text.includes('../shop/.env'))
    const at = name === 'php' || name === 'python' ? place : project!
    await run(at, `set -e\n${added!.text}`, { PATH: `${shims(place, ports)}:${searchPath()}` }).ends()
    for (const [file, text] of Object.entries(OWN)) {
      expect(readFileSync(join(mine!, file), 'utf8').startsWith(text)).toBe(true)
    }

    const running =
      at === place ? run(join(place, 'payments'), 'exec npm start') : run(mine!, 'exec node shop.mjs')
    const publicUrl = at === place ? 'http://127.0.0.1:8080' : 'http://127.0.0.1:3000/pay'
    try {
      await running.says(`${at === place ? 'The payment server:' : 'mine: kept'} ${ports.move(publicUrl)}`)
    } finally {
      await running.stop()
    }

    // The secrets lie where no web server of the shop gives them away.
    if (at === place) {
      expect(readdirSync(mine!).toSorted()).toEqual(Object.keys(OWN).toSorted())
    }
  },
)

// Django and Flask are not installed for the tests.
const PYTHON_SHOPS = {
  django: {
    make: 'python3 -m django startproject mysite .',
    file: 'mysite/urls.py',
    line: '\nfrom django.urls import include\nurlpatterns += [path("", include("django_views"))]\n',
  },
  flask: {
    make: ':',
    file: 'app.py',
    line: 'from flask import Flask\nfrom flask_views import payments\napp = Flask(__name__)\napp.register_blueprint(payments)\n',
  },
} as const
const installedShops = (['django', 'flask'] as const).filter(
  (name) => spawnSync('python3', ['-c', `import ${name}`], { env: { PATH: searchPath() } }).status === 0,
)

test.concurrent.each(installedShops)(
  'what the guide python says of %s makes a shop that pays',
  async (framework) => {
    const place = mkdtempSync(join(folder, `${framework}-`))
    const ports = await freePorts()
    createProject(place, ['shop', '--template', 'python'])
    movePorts(join(place, 'shop'), ports)
    const mine = join(place, 'my-shop')
    const payments = join(place, 'payments')
    mkdirSync(mine)
    const PATH = `${shims(place, ports)}:${searchPath()}`
    const blocks = blocksOf('server/guides/python.md').map(({ text }) => ports.move(text))
    const block = (part: string) => blocks.find((text) => text.includes(part)) ?? ''

    await run(place, `set -e\n${block('mkdir payments')}`, { PATH }).ends()
    await run(payments, `set -e\n${block('../shop/mobile_money.py')}`, { PATH }).ends()
    const { make, file, line } = PYTHON_SHOPS[framework]
    await run(mine, make, { PATH }).ends()
    writeFileSync(join(mine, file), line, { flag: 'a' })
    writeFileSync(join(mine, `${framework}_views.py`), block(`# ${framework}_views.py`))

    const start = framework === 'django' ? 'manage.py runserver' : 'flask run'
    const server = run(payments, 'exec npm start', { PATH })
    const shop = run(mine, block(start), { PATH })
    try {
      await server.says('The payment server:')
      const created = run(mine, block('create_order()'), { PATH })
      await created.ends()
      const order = created.said().trim()
      await shop.isUp(`${ports.shop}/order/${order}`)
      expect(await payOrder(ports, `${ports.shop}/order/${order}`)).toBe(order)
      await shop.says(`paid: fulfil order ${order}`)

      const checked = run(payments, 'npx gateway-checkout-server check', { PATH })
      await checked.ends()
      expect(checked.said()).toContain('✓ orders')
      expect(checked.said()).toContain('✓ events: MERCHANT_WEBHOOK_URL refuses a forged event with HTTP 401')
    } finally {
      await Promise.all([shop.stop(), server.stop()])
    }
  },
)

test('in a Next project with src, what the guide adds lies in src, and no folder app beside it', async () => {
  const place = mkdtempSync(join(folder, 'src-'))
  const ports = await freePorts()
  createProject(place, ['shop', '--template', 'next'])
  const mine = join(place, 'my-shop')
  mkdirSync(join(mine, 'src/app'), { recursive: true })

  const added = blocksOf('server/guides/next.md').find(({ text }) => text.includes('../shop/.env'))
  const PATH = `${shims(place, ports)}:${searchPath()}`
  await run(join(place, 'shop'), `set -e\n${added!.text}`, { PATH }).ends()

  expect(existsSync(join(mine, 'app'))).toBe(false)
  const route = join(mine, 'src/app/pay/[[...path]]/route.js')
  const [, imported = ''] = /from '(\..*pay\.mjs)'/.exec(readFileSync(route, 'utf8')) ?? []
  expect(existsSync(join(dirname(route), imported))).toBe(true)
})

test.each(['node', 'next'])(
  'the service worker that the guide %s shows leaves the payment server to the network',
  (name) => {
    const worker = blocksOf(`server/guides/${name}.md`).find(({ text }) => text.includes('// By hand'))
    const [workbox = '', byHand = ''] = worker?.text.split('// By hand') ?? []
    const [, denied = ''] = /denylist: \[\/(.+)\/\]/.exec(workbox) ?? []

    const answered = (path: string) => {
      let isAnswered = false
      const event = {
        request: { url: `https://shop.example${path}` },
        respondWith: () => (isAnswered = true),
      }
      const listen = (_: string, listener: (event: object) => void) => listener(event)
      runInNewContext(byHand, { addEventListener: listen, answer: () => null, URL })
      return { byHand: isAnswered, workbox: !new RegExp(denied).test(path) }
    }

    for (const path of [
      '/pay/checkout/return/pZ0R4uXbTn2vM8kQwY6sLg',
      '/pay/gateway-checkout.js',
      '/pay/pay/A-1',
    ]) {
      expect(answered(path)).toEqual({ byHand: false, workbox: false })
    }

    for (const path of ['/', '/order/A-1', '/payments/7']) {
      expect(answered(path)).toEqual({ byHand: true, workbox: true })
    }
  },
)

// Without FULL, those that are not followed for half a minute.
const FOLLOWED = ['testing', 'going-live', 'migrating', ...(process.env.FULL ? ['marketplace'] : [])]
test.concurrent.each(FOLLOWED)('what the guide %s says happens when it is followed', async (name) => {
  if (name === 'testing') {
    installTestRunners()
  }

  await follow(`server/guides/${name}.md`, mkdtempSync(join(folder, `${name}-`)))
})

test.concurrent('the shop of the guide marketplace gives a second payment of an order back, and shares nothing of it', async ({
  onTestFinished,
}) => {
  const shop = mkdtempSync(join(folder, 'twice-'))
  const ports = await freePorts()
  const blocks = blocksOf('server/guides/marketplace.md').map(({ text }) => ports.move(text))
  const block = (part: string) => blocks.find((text) => text.includes(part)) ?? ''
  const PATH = `${shims(shop, ports)}:${searchPath()}`
  const sandbox = run(shop, `set -e\n${block('npm install')}`, { PATH })
  onTestFinished(() => sandbox.stop())
  await sandbox.says('GATEWAY_CHARGE_PATH=')
  writeFileSync(join(shop, 'shop.mjs'), block('// shop.mjs'))
  writeFileSync(join(shop, 'A-1042-x7Kp.paid'), 'the first payment')

  const running = run(shop, 'exec node shop.mjs', { PATH })
  onTestFinished(() => running.stop())
  await running.isUp(ports.shop)
  const order = await payOrder(ports)
  await running.says(`paid again: look at order ${order}`)
  await running.says(`checkout.refunded: look at order ${order}`)
  expect(readdirSync(shop).filter((name) => name.endsWith('.review'))).toHaveLength(1)
  const ledger = await (await fetch(`${ports.sandbox}/_sandbox/ledger`)).text()
  expect(ledger).not.toContain('partner/')
})

test.concurrent('what llms.txt says happens when it is followed, and the server serves it', async () => {
  await follow('server/llms.txt', mkdtempSync(join(folder, 'llms-')))
  const response = await describedApp.request('/llms.txt')
  expect(await response.text()).toBe(readFileSync('server/llms.txt', 'utf8'))
  expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8')
})

test.concurrent('a clone makes the packages, and with them a shop that pays', async ({ onTestFinished }) => {
  const clone = mkdtempSync(join(folder, 'clone-'))
  const filter = (path: string) => !path.endsWith('node_modules')
  for (const part of ['package.json', 'widget', 'server', 'demo/create']) {
    cpSync(part, join(clone, part), { recursive: true, filter })
  }

  const ports = await freePorts()
  const [, commands] = blocksOf('demo/create/README.md')
  const PATH = `${shims(folder, ports)}:${searchPath()}`
  const shop = run(clone, `set -e\n${commands?.text}`, { PATH })
  onTestFinished(() => shop.stop())
  await shop.isUp(ports.shop)
  await shop.says(`paid: fulfil order ${await payOrder(ports)}`)
})

/** Next is not among the installed packages. Without FULL, the shop whose guide has a test of its own. */
const IN_CI = ['node', 'express', 'hono', 'php', 'python'].slice(process.env.FULL ? 0 : -1)
test.concurrent.each(IN_CI)(
  'in CI, the lines of the guide Testing start the shop %s with its sandbox, and keep its .env',
  async (template) => {
    installTestRunners()
    const shop = mkdtempSync(join(folder, `ci-${template}-`))
    createProject(shop, ['.', '--template', template])
    linkModules(shop)
    const ports = await freePorts()
    movePorts(shop, ports)
    const env = join(shop, '.env')
    cpSync(env, `${env}.test`)
    const blocks = blocksOf('server/guides/testing.md')
    const yaml = blocks.find(({ language }) => language === 'yaml')
    const [copy, start, ...others] = [...yaml!.text.matchAll(/^- run: (.*)$/gm)].map(([, line = '']) => line)
    expect(others).toEqual(['npx playwright test'])
    const own = `${readFileSync(env, 'utf8')}# mine\n`
    writeFileSync(env, own)
    await run(shop, copy!).ends()
    expect(readFileSync(env, 'utf8')).toBe(own)
    rmSync(env)
    const running = run(shop, `${copy}\n${ports.move(start!)}\ncat page.html\nwait`)
    try {
      await running.says('Two kangas')
      await running.says(`paid: fulfil order ${await payOrder(ports)}`)
      if (template !== 'python') {
        return
      }

      writeFileSync(join(shop, 'test_payment.py'), ports.move(fileOf('test_payment.py')))
      await run(shop, 'python3 -m pytest test_payment.py').ends()
      expect(running.said().split('paid: fulfil order ')).toHaveLength(3)
    } finally {
      await running.stop()
    }
  },
)

// Go is not installed for the tests.
test.each(onPath('go') ? ['order_test.go'] : [])('%s of the guide Testing passes', async (file) => {
  const project = mkdtempSync(join(folder, 'go-'))
  linkModules(project)
  writeFileSync(join(project, file), fileOf(file))
  await run(project, `go test ${file}`).ends()
})

test.each([...GUIDES, 'server/llms.txt'])(
  '%s leads to the packages that a clone makes, before it installs them',
  (name) => {
    const text = readFileSync(name, 'utf8')
    const installing = text.search(/^npm (create|install) \S*gateway-checkout/m)
    expect(text.slice(0, Math.max(installing, 0)).includes('#until-the-packages-are-published')).toBe(
      installing >= 0,
    )
  },
)

/** Returns a file that the guide Testing has. */
function fileOf(name: string): string {
  const block = blocksOf('server/guides/testing.md').find(({ text }) => FILE.exec(text)?.[1] === name)
  if (!block) {
    throw new Error(`The guide has no ${name}.`)
  }
  return block.text
}

test('the variables of Going live make a configuration of production', () => {
  const [block] = blocksOf('server/guides/going-live.md').filter(({ language }) => language === 'ini')
  const env = Object.entries(parseEnv(block!.text)).map(([name, value = '']) => [
    name.replace(/_FILE$/, ''),
    name.endsWith('_FILE') ? `whsec_${createHash('sha256').update(value).digest('base64')}` : value,
  ])
  const { environment, publicUrl, orders, webhook } = readConfig(Object.fromEntries(env))
  expect({ environment, publicUrl }).toEqual({
    environment: 'production',
    publicUrl: 'https://pay.shop.example',
  })
  expect({ orders, webhook }).toEqual({ orders: expect.anything(), webhook: expect.anything() })
})

test.each([...GUIDES, 'README.md'])('every link of %s leads to a file and a heading', (name) => {
  const text = readFileSync(name, 'utf8')
  for (const [, path = '', heading] of text.matchAll(/\]\((?!http)([^)#]*)(?:#([^)]*))?\)/g)) {
    const target = readFileSync(join(dirname(name), path), 'utf8')
    const headings = [...target.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    if (heading !== undefined) {
      expect(headings).toContain(heading)
    }
  }
})

const READMES = [...new Set(Object.values(TEMPLATES).flatMap(({ parts }) => parts))]
  .map((part) => `demo/create/templates/${part}/README.md`)
  .filter((path) => existsSync(path))

test.each([...GUIDES, ...READMES, 'README.md', 'server/llms.txt'])(
  '%s names each button that the shopper presses',
  (path) => {
    const texts = readFileSync(path, 'utf8').split(/\n\n/)
    for (const text of texts.filter((each) => each.includes('"Pay KES 1,500"'))) {
      expect(text.slice(0, text.indexOf('"Pay KES'))).toContain(`"${en.next}"`)
    }
  },
)
