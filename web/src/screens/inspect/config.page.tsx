/** Check standards: the list, and in the detail the items of each version. */
import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { inspecttype } from '@/api/nouns/inspecttype';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { ToneTag } from '@/kit/StateTag';
import { CopyStandard, listed, type Standard, Versions } from '@/screens/shared/standards/parts';
import { useRights } from '@/session/rights';

const PAGE = '/inspect/config';

export default function CheckStandards() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useRights();
  const [copied, setCopied] = useState<Standard>();
  const add = may('inspectconfig_add') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => navigate(`${PAGE}/new`)}>
      {t('kit.add')}
    </Button>
  );
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
        rowActions={(row) => [
          ...(may('inspectconfig_edit')
            ? [{ key: 'edit', label: t('kit.edit'), onClick: () => navigate(`${PAGE}/${row.id}/edit`) }]
            : []),
          ...(may('inspectconfig_add')
            ? [{ key: 'copy', label: t('inspect.copy.action'), onClick: () => setCopied(row) }]
            : []),
        ]}
        main={add}
        touches={[[inspecttype.name]]}
        removeHint={t('inspect.standard.removeHint')}
        extra={(row) => <Versions standard={row} />}
        empty={{
          title: t('inspect.standard.none'),
          hint: t(add ? 'inspect.standard.noneHint' : 'inspect.standard.noneNoRight'),
        }}
      />
      {copied && (
        <CopyStandard
          standard={copied}
          page={PAGE}
          note={t('inspect.copy.standardNote', { count: copied.itemCount })}
          onClose={() => setCopied(undefined)}
        />
      )}
    </>
  );
}
