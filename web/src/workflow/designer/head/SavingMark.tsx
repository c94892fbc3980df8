/** In words: whether what is drawn is saved, and if not, why. */
import { Button } from 'antd';
import dayjs from 'dayjs';
import { ApiError } from '@/api/client';
import { useTranslation } from '@/i18n';
import { ToneTag } from '@/kit/StateTag';
import type { Tone } from '@/kit/tones';
import type { State } from '../saving/Saver';

const TONES: Readonly<Record<State['kind'], Tone>> = {
  saved: 'good',
  changed: 'quiet',
  saving: 'active',
  offline: 'waiting',
  refused: 'bad',
  conflict: 'bad',
};

function useWords(state: State): string {
  const { t } = useTranslation();
  switch (state.kind) {
    case 'saved':
      return state.time
        ? t('designer.saving.savedAt', { time: dayjs(state.time).format('HH:mm:ss') })
        : t('designer.saving.saved');
    case 'offline':
      return t(state.isKept ? 'designer.saving.kept' : 'designer.saving.notKept');
    case 'refused':
      return t('designer.saving.refused', {
        why: state.error instanceof ApiError ? state.error.msg : t('kit.error.unknown'),
      });
    case 'conflict':
      return t('designer.saving.conflict', { who: state.stale.userName });
    default:
      return t(`designer.saving.${state.kind}`);
  }
}

export function SavingMark({ state, onConflict }: { state: State; onConflict: () => void }) {
  const { t } = useTranslation();
  return (
    <span className="x-designer-saving">
      <span role="status">
        <ToneTag tone={TONES[state.kind]}>{useWords(state)}</ToneTag>
      </span>
      {state.kind === 'conflict' && (
        <Button size="small" danger onClick={onConflict}>
          {t('designer.saving.settle')}
        </Button>
      )}
    </span>
  );
}
