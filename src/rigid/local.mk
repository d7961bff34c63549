libcore_la_SOURCES += %D%/polygon.c %D%/body.c %D%/drive.c %D%/loads.c %D%/outline.c %D%/pairs.c %D%/carried.c %D%/slid.c %D%/seams.c %D%/passed.c %D%/links.c %D%/turns.c %D%/joints.c %D%/joint_rows.c %D%/springs.c %D%/internal.h
prc_headers += %D%/rigid.h
