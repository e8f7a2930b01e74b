export const PROSE: {id: string; says: string}[] = []
