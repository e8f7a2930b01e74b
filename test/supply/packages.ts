import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Package {
  name: string
  version: string
  /** The SHA-256 of each file, by the file's path. */
  files: Map<string, string>
}

export function readPackage(tarball: string): Package {
  const folder = mkdtempSync(join(tmpdir(), 'unpacked-'))
  try {
    execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'])
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
    const files = paths.filter((path) => statSync(join(folder, path)).isFile())
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { name, version, files: new Map(files.map((path) => [path, sha256(join(folder, path))])) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns one line for each file that differs, or that only one of the packages has. */
export function findDifferences(first: Package, second: Package): string[] {
  return [...new Set([...first.files.keys(), ...second.files.keys()])]
    .toSorted()
    .filter((path) => first.files.get(path) !== second.files.get(path))
    .map((path) => {
      const [one, other] = [first, second].map(({ files }) => files.get(path) ?? 'absent')
      return `${first.name}/${path}: ${one}, ${other}`
    })
}

export function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
