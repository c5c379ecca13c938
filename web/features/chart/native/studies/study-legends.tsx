// Legends of the studies, on the price and in their own panes.
import { cn } from '#web/lib/cn.ts'
import { overlayClass, rowsClass } from '../legend-classes.ts'
import { linePanePx, paneHeight, type LegendRoomOptions } from '../legend-room.ts'
import type { StudyReading } from './legend-values.ts'
import { StudyRow, type StudyActions } from './study-row.tsx'

interface StudiesProps {
  readonly studies: readonly StudyReading[]
  readonly actions: StudyActions
}

/** Studies on the price, below its legend. */
export function PriceStudies({ studies, actions }: StudiesProps) {
  return (
    <div className={rowsClass}>
      {studies.map((study) => (
        <StudyRow key={study.id} study={study} actions={actions} isLine={false} />
      ))}
    </div>
  )
}

interface PaneLegendsProps extends StudiesProps {
  readonly panes: Pick<LegendRoomOptions, 'heightPx' | 'paneTops'>
}

/** A study with its own pane is named there, on one line where the pane is low. */
export function PaneLegends({ studies, actions, panes }: PaneLegendsProps) {
  return studies
    .filter((study) => study.paneTopPx > 0)
    .map((study) => {
      const height = paneHeight(study.paneTopPx, panes)
      const style = { top: study.paneTopPx + 1, ...(height > 0 && { maxHeight: height - 2 }) }
      return (
        <div key={study.id} style={style} className={cn(overlayClass, rowsClass)}>
          <StudyRow study={study} actions={actions} isLine={height > 0 && height < linePanePx} />
        </div>
      )
    })
}
