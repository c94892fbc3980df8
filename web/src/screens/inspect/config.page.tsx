/** Check standards: the list, and in the detail the items of each version. */
import { inspecttype } from '@/api/nouns/inspecttype';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { ToneTag } from '@/kit/StateTag';
import { CopyStandard, listed, useStandardActs, Versions } from '@/screens/shared/standards/parts';

const PAGE = '/inspect/config';

export default function CheckStandards() {
  const { t } = useTranslation();
  const acts = useStandardActs(PAGE);
  return (
    <>
      <NounPage
        noun={listed}
        name="configName"
        fixed={{ configType: 1 }}
        columns={[
          { key: 'configName', width: 220 },
          { key: 'configCode', width: 130, nowrap: true },
          { key: 'typeName', width: 160 },
          'itemCount',
          'versionNo',
          'needCheck',
          'needSign',
          { key: 'remark', extra: true },
        ]}
        show={{
          configName: (row) => (
            <span className="x-marks">
              {row.configName}
              {row.isSealed === 1 && <ToneTag tone="off">{t('inspect.sealed')}</ToneTag>}
            </span>
          ),
        }}
        filters={[
          { kind: 'text', name: 'keyword', label: t('inspect.keyword') },
          'typeId',
          'isSealed',
          'needCheck',
          'needSign',
        ]}
        detail={[
          'configCode',
          'typeName',
          'itemCount',
          'versionNo',
          'needCheck',
          'needSign',
          'isSealed',
          'remark',
        ]}
        form={[]}
        width={880}
        rowActions={acts.ofRow}
        main={acts.main}
        touches={[[inspecttype.name]]}
        removeHint={t('inspect.standard.removeHint')}
        extra={(row) => <Versions standard={row} />}
        empty={{
          title: t('inspect.standard.none'),
          hint: t(acts.main ? 'inspect.standard.noneHint' : 'inspect.standard.noneNoRight'),
        }}
      />
      {acts.copied && (
        <CopyStandard
          standard={acts.copied}
          page={PAGE}
          note={t('inspect.copy.standardNote', { count: acts.copied.itemCount })}
          onClose={acts.closeCopy}
        />
      )}
    </>
  );
}
