/** Marks at the elements that something is wrong with: a sign and a number, in the colour of the worst of it. */
import type Overlays from 'diagram-js/lib/features/overlays/Overlays';
import { useEffect } from 'react';
import { useTranslation } from '@/i18n';
import type { Language } from '@/site';
import type { Drawing } from '../canvas/drawing';
import type { Problem } from '../context';
import { elementOf, sentence } from './words';

const TYPE = 'xw-problem';
const ALWAYS = { show: { minZoom: 0, maxZoom: 5 }, scale: { min: 0.6, max: 1.2 } };

export function useMarkers(
  drawing: Drawing | undefined,
  problems: readonly Problem[] | undefined,
  language: Language,
  onOpen: (element: string) => void,
): void {
  const { t } = useTranslation();
  useEffect(() => {
    if (!drawing) return;
    const overlays = drawing.get<Overlays>('overlays');
    overlays.remove({ type: TYPE });
    const elements = new Set((problems ?? []).map(({ element }) => element));
    for (const id of elements) {
      const found = (problems ?? []).filter(({ element }) => element === id);
      if (!elementOf(drawing, id)) continue;
      const level = found.some((problem) => problem.level === 'error') ? 'error' : 'warning';
      const mark = document.createElement('button');
      mark.type = 'button';
      mark.className = `x-designer-mark x-designer-${level}`;
      mark.textContent = level === 'error' ? '✕' : '!';
      if (found.length > 1) mark.textContent += found.length;
      mark.title = found.map((problem) => sentence(problem, language)).join('\n');
      mark.setAttribute(
        'aria-label',
        `${mark.textContent} ${t(`designer.problems.${level}`)}: ${mark.title}`,
      );
      mark.addEventListener('click', () => onOpen(id));
      overlays.add(id, TYPE, { ...ALWAYS, position: { top: -10, left: -10 }, html: mark });
    }
  }, [drawing, problems, language, onOpen, t]);
}
