import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'

import { run } from '../debian.ts'

export async function chromiumFromNpm(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return undefined
  }

  const folder = join(process.cwd(), 'node_modules/.cache/npm-chromium')
  const manifest = join(folder, 'package.json')
  const libraries = join(folder, 'al2023/lib')
  if (!existsSync(libraries)) {
    mkdirSync(join(folder, 'al2023'), { recursive: true })
    writeFileSync(manifest, '{"private":true}')
    const options = ['--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts']
    if (!run('npm', ['install', ...options, '@sparticuz/chromium@147.0.0'])) {
      return undefined
    }

    const packed = join(folder, 'node_modules/@sparticuz/chromium/bin/al2023.tar.br')
    writeFileSync(join(folder, 'al2023.tar'), brotliDecompressSync(readFileSync(packed)))
    if (!run('tar', ['xf', join(folder, 'al2023.tar'), '-C', join(folder, 'al2023')])) {
      return undefined
    }
  }

  process.env.LD_LIBRARY_PATH = [libraries, process.env.LD_LIBRARY_PATH ?? ''].filter(Boolean).join(delimiter)
  const entry = createRequire(manifest).resolve('@sparticuz/chromium')
  const carrier: { default: { executablePath(): Promise<string> } } = await import(pathToFileURL(entry).href)
  return carrier.default.executablePath()
}
