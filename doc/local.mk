dist_man_MANS += %D%/percuss.1
dist_doc_DATA = README.md doc/design.md doc/case.md LICENSE
