// Where the numbers of a study can come from.
export const provenances = [
  'prices',
  'volume',
  'aggressor',
  'intrabar',
  'bar-shape',
  'official-periods',
  'no-volume',
  'no-volume-equal-weight',
  'no-volume-true-range',
  'no-periods',
] as const

/** The sentences for users stand in `provenanceText` of shared/text/en/studies.ts. */
export type Provenance = (typeof provenances)[number]
