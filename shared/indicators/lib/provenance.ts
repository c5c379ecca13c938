// Provenance of a study's values.
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

/** The texts for users are in `provenanceText` of shared/indicators/text/en.ts. */
export type Provenance = (typeof provenances)[number]
