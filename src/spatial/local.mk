libcore_la_SOURCES += %D%/body.c %D%/motion.c %D%/quaternion.c %D%/inertia.c %D%/loads.c %D%/drive.c %D%/pairs.c %D%/carried.c %D%/slid.c %D%/seams.c %D%/passed.c %D%/links.c %D%/joints.c %D%/joint_rows.c %D%/springs.c %D%/links.h %D%/outline.c %D%/outline_places.c %D%/outline.h %D%/internal.h
prc_headers += %D%/spatial.h
