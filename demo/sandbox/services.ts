import type { Service, ServiceUse } from './merchant.ts'

export interface ServiceEntry {
  readonly service: Service
  isActive: boolean
}

// [spec: What the service does, 3] [assumed] A code names one service of a merchant, whatever its use.
export function createServices(seeded: readonly Service[]) {
  const entries = new Map<string, ServiceEntry>()
  const add = (service: Service) =>
    void entries.set(service.code, { service, isActive: !service.isInitiallyOff })
  seeded.forEach(add)
  return {
    list: (): readonly ServiceEntry[] => [...entries.values()],
    /** Returns the active service with this use and code. */
    find(use: ServiceUse, code: string): Service | undefined {
      const found = entries.get(code)
      return found?.isActive && found.service.use === use ? found.service : undefined
    },
    entry: (code: string) => entries.get(code),
    add,
  }
}
