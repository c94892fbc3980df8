/** What is known of an asset: its plate, where it came from and until when it is covered, its pictures and documents. */
import type { ReactNode } from 'react';
import { inspectmachine } from '@/api/nouns/inspectmachine';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { extraFacts, useExtras } from '@/kit/extras';
import { Facts } from '@/kit/Facts';
import { Files } from '@/kit/Files';
import { useLabels } from '@/kit/nounText';
import { Photos } from '@/kit/Photos';
import { Section } from '@/kit/Section';
import { ToneTag } from '@/kit/StateTag';
import type { Tone } from '@/kit/tones';
import { fileName } from '@/lib/fileLinks';
import { exact, yuan } from '@/lib/money';

const WARRANTY: Readonly<Record<number, Tone>> = { 1: 'good', 2: 'waiting', 3: 'off' };

export function WarrantyTag({
  machine,
}: {
  machine: Pick<Wire<'Machine'>, 'warrantyState' | 'warrantyStateName'>;
}) {
  const { warrantyState: state, warrantyStateName: name } = machine;
  return state ? <ToneTag tone={WARRANTY[state] ?? 'quiet'}>{name}</ToneTag> : '-';
}

export function MachineProfile({ machine }: { machine: Wire<'MachineCard'> }) {
  const { t } = useTranslation();
  const label = useLabels(inspectmachine);
  const extras = useExtras(inspectmachine);
  const { powerKw, originalValue, warrantyEnd, supplier, supplierPhone } = machine;
  const facts: [string, ReactNode][] = [
    [label('spec'), machine.spec],
    [label('serialNo'), machine.serialNo],
    [label('assetNo'), machine.assetNo],
    [label('powerKw'), typeof powerKw === 'number' && exact(powerKw, 2)],
    [label('manufacturer'), machine.manufacturer],
    [label('supplier'), [supplier, supplierPhone].filter(Boolean).join(' · ')],
    [label('madeDate'), machine.madeDate],
    [label('purchaseDate'), machine.purchaseDate],
    [label('inServiceDate'), machine.inServiceDate],
    [
      label('warrantyEnd'),
      warrantyEnd && (
        <span className="x-marks">
          {warrantyEnd} <WarrantyTag machine={machine} />
        </span>
      ),
    ],
    [label('originalValue'), typeof originalValue === 'number' && yuan(originalValue)],
    [
      label('nextStatutoryDate'),
      machine.specialEquip === 1 && (machine.nextStatutoryDate ?? t('machines.profile.noDate')),
    ],
  ];
  const known = [
    ...facts.filter(([, value]) => Boolean(value)).map(([name, value]) => ({ label: name, value })),
    ...extraFacts(extras.fields, machine, useLanguage()),
  ];
  const pictures = [...(machine.photo ?? []), ...(machine.images ?? [])];
  const files = machine.files ?? [];
  if (known.length + pictures.length + files.length === 0) return null;
  return (
    <Section title={t('machines.profile.title')}>
      {known.length > 0 && <Facts items={known} />}
      {pictures.length > 0 && (
        <div className="x-fact-group">
          <h2>{t('machines.profile.pictures')}</h2>
          <Photos links={pictures} />
        </div>
      )}
      {files.length > 0 && (
        <div className="x-fact-group">
          <h2>{label('files')}</h2>
          <Files files={files.map((link) => ({ link, name: fileName(link) }))} />
        </div>
      )}
    </Section>
  );
}
