import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
// A container may have only 64 MB of it.
const LEAST_BYTES = 2 ** 30

/**
 * Where tests keep their stores: in memory, if the machine has room there. On a disk, each commit waits some
 * milliseconds for a flush.
 */
export const SCRATCH = hasRoom(MEMORY) ? MEMORY : tmpdir()

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= LEAST_BYTES
  } catch {
    return false
  }
}
