import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const PAGE = Buffer.alloc(4_096)

/** Mounts a disk of 64 kB at a folder until the test ends, which root may do. */
export function mountSmallDisk(folder: string, atEnd = onTestFinished) {
  const filler = join(folder, 'filler')
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=0777', 'tmpfs', folder])
  atEnd(() => void execFileSync('umount', ['--lazy', folder]))
  return {
    /** Leaves room for no byte. Files without content can still be created. */
    fill() {
      try {
        for (;;) {
          appendFileSync(filler, PAGE)
        }
      } catch {
        // The disk is full.
      }
    },

    makeRoom: () => rmSync(filler),
  }
}
