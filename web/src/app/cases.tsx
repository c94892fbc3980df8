/** The pages of every case that the document knows. A file `<name>.case.tsx` of a screen folder says what differs. */
import { type ComponentType, lazy } from 'react';
import type { Case } from '@/api/case';
import type { CaseProps, CaseScreen } from '@/workflow/cases/screen';
import { withTexts } from './texts';

type Kind = 'CaseForm' | 'CaseTask' | 'CaseProcess' | 'CaseRecordPage';

const DECLARED = import.meta.glob<Record<string, Case>>(['../api/cases/*.ts', '!../api/cases/index.ts']);
const SCREENS = import.meta.glob<{ default: CaseScreen }>('../screens/**/*.case.tsx');

function loaderOf<T>(files: Record<string, () => Promise<T>>, ending: string): Promise<T> | undefined {
  const found = Object.entries(files).find(([file]) => file.endsWith(`/${ending}`));
  return found && withTexts(...found);
}

/** A page of the case, loaded with what it needs when it is first opened. */
export function casePage(name: string, kind: Kind): ComponentType {
  return lazy(async () => {
    const [pages, declared, screen] = await Promise.all([
      withTexts('workflow/cases/pages', () => import('@/workflow/cases/pages')),
      loaderOf(DECLARED, `${name}.ts`),
      loaderOf(SCREENS, `${name}.case.tsx`),
    ]);
    const of = declared?.[name];
    if (!of) throw new Error(`the document knows no case ${name}`);
    const Page: ComponentType<CaseProps> = pages[kind];
    return { default: () => <Page of={of} screen={screen?.default ?? {}} /> };
  });
}
