/** Below the canvas: one thing at a time that speaks of the whole drawing, and the bar that opens it. */
import { DownOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { ParseKeys } from 'i18next';
import type { ComponentType } from 'react';
import { useTranslation } from '@/i18n';
import { Drawer as Sheet } from '@/kit/overlays';
import { usePhone } from '@/kit/width';
import { type DrawerTab, useDesigner } from './context';
import { DryRun } from './dryrun/DryRun';
import { Problems } from './lint/Problems';
import { Panel } from './panel/Panel';
import { XmlView } from './XmlView';

interface Named {
  tab: DrawerTab;
  title: ParseKeys;
}

interface Tab extends Named {
  Content: ComponentType;
}

/** What may stand in the drawer, in the order of its bar. */
const TABS: readonly Tab[] = [
  { tab: 'problems', title: 'designer.drawer.problems', Content: Problems },
  { tab: 'dryrun', title: 'dryrun.label', Content: DryRun },
  { tab: 'xml', title: 'designer.drawer.xml', Content: XmlView },
];
/** On a phone the properties come over the rest. */
const SHEET: Named = { tab: 'panel', title: 'designer.panel.label' };

export function Drawer() {
  const { t } = useTranslation();
  const { drawer, openDrawer } = useDesigner();
  const phone = usePhone();
  const open = TABS.find(({ tab }) => tab === drawer);
  const close = () => openDrawer(undefined);
  return (
    <div className="x-designer-drawer">
      <div className="x-designer-tabs">
        {(phone ? [SHEET, ...TABS] : TABS).map(({ tab, title }) => (
          <Button
            key={tab}
            type="text"
            size="small"
            aria-expanded={tab === drawer}
            onClick={() => openDrawer(tab === drawer ? undefined : tab)}
          >
            {t(title)}
          </Button>
        ))}
        {open && (
          <Button
            type="text"
            size="small"
            icon={<DownOutlined />}
            aria-label={t('designer.drawer.close')}
            onClick={close}
          />
        )}
      </div>
      {open && (
        <div className="x-designer-drawn">
          <open.Content />
        </div>
      )}
      {phone && (
        <Sheet
          open={drawer === SHEET.tab}
          placement="bottom"
          size="72dvh"
          title={t(SHEET.title)}
          styles={{ body: { padding: 0 } }}
          onClose={close}
        >
          <Panel />
        </Sheet>
      )}
    </div>
  );
}
