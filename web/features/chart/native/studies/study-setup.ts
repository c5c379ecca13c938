// Input for a chart to show studies.
import type { StudyKit } from './lazy-entry.ts'
import type { StudyConfig } from './study-config.ts'

/** The requested studies with the lazy-loaded code that draws them. */
export interface StudyPicture {
  readonly kit: StudyKit
  readonly configs: readonly StudyConfig[]
}
