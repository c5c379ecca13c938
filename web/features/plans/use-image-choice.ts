// What happens when an admin chooses an image: our rules, then the server's reading of it, then the word that it is fine.
import { useRef, useState } from 'react'
import { planText } from '#shared/text/en/plans.ts'
import { serverMessageOf } from '#web/lib/failure.ts'
import { toast } from '#web/ui/toast.tsx'
import { readImage } from './api.ts'
import { readImageFile } from './read-image-file.ts'

/** Undefined while the server has not said it; null where the image holds no QR code. */
export type KnownPayee = string | null | undefined

export interface ImageChoice {
  readonly isReading: boolean
  readonly fault: string | undefined
  readonly payee: KnownPayee
  readonly choose: (file: File) => Promise<void>
}

/** Calls `onImage` with the data URL of each image that passed, which takes the place of the last one. */
export function useImageChoice(known: KnownPayee, onImage: (dataUrl: string) => void): ImageChoice {
  const [state, setState] = useState<Omit<ImageChoice, 'choose'>>({ isReading: false, fault: undefined, payee: known })
  const turn = useRef(0)

  const choose = async (file: File) => {
    turn.current += 1
    const mine = turn.current
    // A later choice overtakes this one.
    const isOvertaken = () => turn.current !== mine
    setState({ ...state, isReading: true, fault: undefined })
    const outcome = await readImageFile(file)
    if (isOvertaken()) return
    if (!outcome.isFine) return setState({ ...state, isReading: false, fault: outcome.fault })
    try {
      const { payee } = await readImage(outcome.dataUrl)
      if (isOvertaken()) return
      finish(payee)
    } catch (error) {
      if (isOvertaken()) return
      const refusal = serverMessageOf(error)
      if (refusal !== undefined) return setState({ ...state, isReading: false, fault: refusal })
      // The save checks the image again, so silence alone does not keep it out.
      finish(undefined)
    }

    function finish(payee: KnownPayee) {
      if (!outcome.isFine) return
      setState({ isReading: false, fault: undefined, payee })
      onImage(outcome.dataUrl)
      if (outcome.wasCompressed) toast({ kind: 'info', text: planText.imageCompressed })
      toast({ kind: 'ok', text: planText.imageUploaded })
    }
  }

  return { ...state, choose }
}
